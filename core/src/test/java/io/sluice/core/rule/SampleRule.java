package io.sluice.core.rule;

import io.sluice.core.decision.BucketHash;
import io.sluice.core.decision.Bucketing;
import io.sluice.core.decision.Percent;
import io.sluice.core.decision.Split;
import io.sluice.core.decision.Weighted;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Release rules for tests: version {@code v2}, the release's id as the salt, requests slow from 300 ms on. */
public final class SampleRule {
    private static final Duration SLOW = Duration.ofMillis(300);

    private SampleRule() {}

    /** A live release on its first step. */
    public static ReleaseRule live(String id, int percent, String... services) {
        return of(id, split(id, percent), 1, List.of(), services);
    }

    /** A live release on some step. */
    public static ReleaseRule atStep(String id, long step, String... services) {
        return of(id, split(id, 50), step, List.of(), services);
    }

    /** A release that was aborted. */
    public static ReleaseRule aborted(String id, String... services) {
        return of(id, split(id, 50).abort("p99"), 2, List.of(), services);
    }

    public static ReleaseRule of(String id, Split split, long step, List<Rule> rules, String... services) {
        return new ReleaseRule(id, "v2", List.of(services), split, rules, step, SLOW);
    }

    /** A split by plain FNV-1a with the release's id as the salt. */
    public static Split split(String salt, int percent, String... allow) {
        return new Weighted(Bucketing.of(BucketHash.FNV1A, salt), Percent.of(percent), Set.of(allow));
    }
}
