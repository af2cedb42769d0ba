package io.sluice.server.audit;

import io.sluice.core.guard.Verdict;
import io.sluice.core.release.JournalEntry;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Journal entries as the API shows them. */
public record JournalView(List<Entry> entries) {
    static JournalView of(List<Journal.Line> lines) {
        return new JournalView(lines.stream().map(Entry::of).toList());
    }

    /** One entry. */
    public record Entry(
            long seq,
            Instant at,
            String release,
            String actor,
            String action,
            String why,
            String outcome,
            @Nullable VerdictView verdict,
            String hash) {
        public static Entry of(Journal.Line line) {
            JournalEntry entry = line.entry();
            return new Entry(
                    line.seq(),
                    entry.at(),
                    entry.release(),
                    entry.actor(),
                    entry.action(),
                    entry.why(),
                    entry.outcome(),
                    VerdictView.of(entry.verdict()),
                    line.hash());
        }
    }

    /** A verdict with the numbers it was made from. */
    public record VerdictView(
            String health,
            String reason,
            String service,
            long samples,
            long failures,
            double errorRate,
            long p99Millis) {
        /** Null for no verdict, which JSON leaves out. */
        public static @Nullable VerdictView of(@Nullable Verdict verdict) {
            return verdict == null
                    ? null
                    : new VerdictView(
                            verdict.health().name(),
                            verdict.reason(),
                            verdict.service(),
                            verdict.samples(),
                            verdict.failures(),
                            verdict.errorRate(),
                            verdict.p99().toMillis());
        }
    }
}
