package io.sluice.cli.demo.load;

import io.sluice.core.rule.ReleaseRule;
import io.sluice.core.rule.RuleSet;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Which rules held when, by this process's monotonic clock. Thread-safe. */
public final class RuleTimeline {
    private final List<Entry> entries = new ArrayList<>();

    /** Rules that hold from {@code nanos} on. Call in order. */
    public synchronized void add(long nanos, RuleSet rules) {
        entries.add(new Entry(nanos, rules));
    }

    /** The rule sets that held at some moment between two, both included, oldest first. */
    public synchronized List<RuleSet> between(long fromNanos, long toNanos) {
        List<RuleSet> held = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            boolean beganBefore = entries.get(i).nanos - toNanos <= 0;
            boolean endedAfter = i == entries.size() - 1 || entries.get(i + 1).nanos - fromNanos >= 0;
            if (beganBefore && endedAfter) {
                held.add(entries.get(i).rules);
            }
        }
        return held;
    }

    /** When a release was first seen aborted; empty if it was not. */
    public synchronized OptionalLong abortOf(String release) {
        return entries.stream()
                .filter(entry -> isAborted(entry.rules.release(release)))
                .mapToLong(Entry::nanos)
                .findFirst();
    }

    private static boolean isAborted(@Nullable ReleaseRule rule) {
        return rule != null && rule.isAborted();
    }

    private record Entry(long nanos, RuleSet rules) {}
}
