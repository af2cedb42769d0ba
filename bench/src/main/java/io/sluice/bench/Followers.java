package io.sluice.bench;

import io.sluice.core.rule.RuleSet;
import io.sluice.core.rule.RuleSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Rule sources that are waited for, each with a connection of its own. */
final class Followers implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final List<RuleSource> sources = new ArrayList<>();
    private volatile @Nullable Change awaited;

    Followers(int count, Supplier<RuleSource> source) {
        for (int i = 0; i < count; i++) {
            int index = i;
            RuleSource started = source.get();
            sources.add(started);
            started.subscribe(rules -> seen(index, rules));
        }
    }

    /**
     * Gives a command and waits until all have what comes of it.
     *
     * @param change what they wait for: nobody has it yet
     * @throws IllegalStateException when not all have it within 30 s
     */
    Arrival await(Predicate<RuleSet> change, Runnable command) throws InterruptedException {
        Change next = new Change(change, sources.size());
        awaited = next;
        long given = System.nanoTime();
        command.run();
        long answered = System.nanoTime();
        if (!next.missing.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new IllegalStateException(next.missing.getCount() + " of " + sources.size()
                    + " sources have not applied a change after " + PATIENCE.toSeconds() + " s");
        }
        long[] at = new long[sources.size()];
        for (int i = 0; i < at.length; i++) {
            at[i] = next.seenAt.get(i);
        }
        return new Arrival(given, answered, at);
    }

    @Override
    public void close() throws Exception {
        for (RuleSource source : sources) {
            source.close();
        }
    }

    private void seen(int index, RuleSet rules) {
        Change now = awaited;
        if (now != null && now.change.test(rules) && now.seenAt.compareAndSet(index, 0, System.nanoTime())) {
            now.missing.countDown();
        }
    }

    /** When a command was given and answered, and when each follower had what came of it. */
    record Arrival(long given, long answered, long[] at) {}

    private static final class Change {
        private final Predicate<RuleSet> change;
        private final AtomicLongArray seenAt;
        private final CountDownLatch missing;

        Change(Predicate<RuleSet> change, int followers) {
            this.change = change;
            this.seenAt = new AtomicLongArray(followers);
            this.missing = new CountDownLatch(followers);
        }
    }
}
