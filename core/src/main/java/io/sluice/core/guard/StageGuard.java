package io.sluice.core.guard;

import io.sluice.core.decision.Percent;
import io.sluice.core.observation.Tally;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Judges what one reporter saw on one stage. A pure function.
 *
 * <p>In this order: a hard limit that is broken; a critical comparison in which canary is worse than stable; what holds
 * (no data, data stopped, too few samples, no baseline, another share than asked); else healthy.
 *
 * @param limits the hard limits
 * @param samples how many canary requests the stage must have had, at least the limits' own minimum
 * @param clearance whether it must be shown that the error rate is under its limit
 * @param baseline what is compared with stable
 * @param alpha what each critical comparison of the stage may spend
 * @param asked canary's share
 * @param byChance whether all customers but those on the allowlist are placed by that share
 */
public record StageGuard(
        Thresholds limits,
        long samples,
        boolean clearance,
        Baseline baseline,
        double alpha,
        Percent asked,
        boolean byChance) {
    public static final String NO_BASELINE = "no_baseline";
    public static final String SAMPLE_RATIO_MISMATCH = "sample_ratio_mismatch";
    public static final String SOURCE_ERROR = "source_error";

    /** The name under which {@link SampleRatio} is found. */
    static final String SAMPLE_RATIO = "sample_ratio";

    /** Judges; the verdict is about the reporter. */
    public Verdict judge(String reporter, Seen seen) {
        List<Finding> findings = findings(reporter, seen);
        Verdict verdict = hard(seen).about(reporter).with(findings);
        if (verdict.health() == Health.BREACH) {
            return verdict;
        }
        for (Finding finding : findings) {
            if (finding.critical() && finding.health() == Health.BREACH) {
                return verdict.as(Health.BREACH, finding.reason());
            }
        }
        if (verdict.health() == Health.HOLD) {
            return verdict;
        }
        String reason = reasonToHold(seen, findings);
        return reason == null ? verdict : verdict.as(Health.HOLD, reason);
    }

    /** A window that has run empty is not a canary that never had a request. */
    private Verdict hard(Seen seen) {
        boolean isExact = baseline.slowerThan(limits).equals(limits.maxP99());
        Tally judged = isExact ? seen.window() : seen.window().withSlowOver(limits.maxP99());
        Verdict verdict = new Guard(limits).judge(judged, seen.silence());
        if (seen.window().count() > 0 || seen.canary().count() == 0) {
            return verdict;
        }
        boolean isSilent = seen.silence().compareTo(limits.maxSilence()) > 0;
        return verdict.as(Health.HOLD, isSilent ? Guard.DATA_STOPPED : Guard.INSUFFICIENT_SAMPLES);
    }

    private @Nullable String reasonToHold(Seen seen, List<Finding> findings) {
        if (seen.canary().count() < samples) {
            return Guard.INSUFFICIENT_SAMPLES;
        }
        if (isCompared() && isBaselineMissing(seen)) {
            return NO_BASELINE;
        }
        if (findings.stream().anyMatch(finding -> finding.critical() && finding.health() == Health.HOLD)) {
            return SAMPLE_RATIO_MISMATCH;
        }
        if (isCompared() && seen.crowd().canary() > 0 && seen.crowd().stable() == 0) {
            return NO_BASELINE;
        }
        return clearance && !Clearance.isShown(limits.maxErrorRate(), seen.canary())
                ? Guard.INSUFFICIENT_SAMPLES
                : null;
    }

    /** At 100 % nobody is left to compare with, and at 0 % only those are on canary who were put there. */
    private boolean isCompared() {
        return !asked.isAllOrNothing() && !baseline.critical().isEmpty();
    }

    private boolean isBaselineMissing(Seen seen) {
        return seen.stable().count() == 0 || seen.stableSilence().compareTo(limits.maxSilence()) > 0;
    }

    private List<Finding> findings(String reporter, Seen seen) {
        List<Finding> findings = new ArrayList<>();
        if (asked.isAllOrNothing()) {
            return findings;
        }
        for (Comparison comparison : seen.comparisons()) {
            findings.add(finding(reporter, comparison));
        }
        if (byChance) {
            findings.add(sampleRatio(reporter, seen.crowd()));
        }
        return findings;
    }

    private Finding finding(String reporter, Comparison comparison) {
        boolean critical = baseline.critical().contains(comparison.metric());
        String metric = comparison.metric().label();
        return Finding.of(reporter, metric, critical, comparison, alpha);
    }

    private Finding sampleRatio(String reporter, Crowd crowd) {
        double evidence = SampleRatio.evidence(asked, crowd);
        boolean constant = SampleRatio.isConstantKey(crowd);
        long all = crowd.canary() + crowd.stable();
        String reason = constant
                ? crowd.requests() + " requests come from " + all + " customers: is the identity constant?"
                : String.format(
                        Locale.ROOT,
                        "canary has %d of %d customers, %.2f%% where %s is asked",
                        crowd.canary(),
                        all,
                        all == 0 ? 0 : 100.0 * crowd.canary() / all,
                        asked);
        boolean holds = constant || SampleRatio.isMismatch(asked, crowd, alpha);
        return new Finding(
                reporter,
                SAMPLE_RATIO,
                true,
                holds ? Health.HOLD : Health.HEALTHY,
                reason,
                new Tick(crowd.canary(), 0, crowd.stable(), 0),
                evidence,
                1 / alpha);
    }

    /** What a verdict of only these findings comes to: for a metric source, which is no reporter of requests. */
    public static Verdict of(String source, List<Finding> findings) {
        Verdict verdict =
                new Verdict(Health.HEALTHY, Guard.HEALTHY, source, 0, 0, Duration.ZERO, List.copyOf(findings));
        for (Finding finding : findings) {
            if (finding.critical() && finding.health().compareTo(verdict.health()) > 0) {
                String reason = finding.health() == Health.BREACH ? finding.reason() : SOURCE_ERROR;
                verdict = verdict.as(finding.health(), reason);
            }
        }
        return verdict;
    }
}
