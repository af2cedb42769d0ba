package io.sluice.center;

import io.sluice.core.decision.BucketHash;
import io.sluice.core.decision.Bucketing;
import io.sluice.core.decision.Percent;
import io.sluice.core.decision.Weighted;
import io.sluice.core.rule.ReleaseRule;
import io.sluice.core.rule.RuleSet;
import io.sluice.wire.RuleEnvelope;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Rule sets of one release, told apart by revision and percentage. */
public final class Rules {
    private Rules() {}

    public static RuleSet at(long revision, int percent) {
        return RuleSet.of(
                1,
                revision,
                List.of(new ReleaseRule(
                        "r",
                        "v2",
                        List.of("order"),
                        new Weighted(Bucketing.of(BucketHash.FNV1A_MIXED, "r"), Percent.of(percent), Set.of("vip")),
                        List.of(),
                        revision,
                        Duration.ofMillis(300))));
    }

    public static byte[] envelope(RuleSet rules) {
        return RuleEnvelope.of(rules).write();
    }
}
