package io.sluice.server.audit;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.sluice.core.guard.Finding;
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
            VerdictView verdict = VerdictView.of(entry.verdict());
            return new Entry(
                    line.seq(),
                    entry.at(),
                    entry.release(),
                    entry.actor(),
                    entry.action(),
                    entry.why(),
                    entry.outcome(),
                    verdict == null ? null : verdict.with(null),
                    line.hash());
        }
    }

    /**
     * A verdict with the numbers it was made from.
     *
     * @param findings what each metric says; the journal keeps none
     */
    public record VerdictView(
            String health,
            String reason,
            String service,
            long samples,
            long failures,
            double errorRate,
            long p99Millis,
            @Nullable List<FindingView> findings) {
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
                            verdict.p99().toMillis(),
                            verdict.findings().stream().map(FindingView::of).toList());
        }

        /** The same verdict, with findings that were kept elsewhere; null leaves them out. */
        public VerdictView with(@Nullable List<FindingView> others) {
            return new VerdictView(health, reason, service, samples, failures, errorRate, p99Millis, others);
        }
    }

    /** What one metric says. Numbers that JSON has none for: NaN is null, the infinite ones are 1e300. */
    public record FindingView(
            String reporter,
            String metric,
            boolean critical,
            String health,
            String reason,
            long canary,
            long canaryBad,
            long stable,
            long stableBad,

            @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable
            Double value,

            @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable
            Double limit) {
        private static final double INFINITE = 1e300;

        public static FindingView of(Finding finding) {
            return new FindingView(
                    finding.reporter(),
                    finding.metric(),
                    finding.critical(),
                    finding.health().name(),
                    finding.reason(),
                    finding.counts().canary(),
                    finding.counts().canaryBad(),
                    finding.counts().stable(),
                    finding.counts().stableBad(),
                    number(finding.value()),
                    number(finding.limit()));
        }

        /** As JSON can have it. */
        public static @Nullable Double number(double value) {
            return Double.isNaN(value) ? null : (Double) Math.max(-INFINITE, Math.min(INFINITE, value));
        }
    }
}
