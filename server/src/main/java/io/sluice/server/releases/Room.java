package io.sluice.server.releases;

import io.sluice.core.decision.Percent;
import io.sluice.core.decision.Weighted;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.release.Release;
import io.sluice.core.release.ReleaseSpec;
import io.sluice.core.rule.ReleaseRule;
import io.sluice.core.rule.RuleSet;
import io.sluice.wire.RuleSetJson;
import java.util.List;

/**
 * The room that rules have. Processes refuse a rule set of more than 1 MiB as a whole, so none may ever come about, least
 * of all by an abort: each release is counted at the largest that it can become.
 */
final class Room {
    private static final int MOST_BYTES = 1 << 20;

    // An abort's reason, shortened as a rule has it, each character 7 bytes at most once it is written as JSON.
    private static final int REASON_BYTES = 1024;

    private Room() {}

    /** @throws RefusedException when the rules of all these releases and one more might not fit */
    static void require(List<Release> beside, ReleaseSpec added) {
        int bytes = largest(added);
        int others = beside.stream()
                .filter(release -> !release.retired())
                .mapToInt(release -> largest(release.spec()))
                .sum();
        if (others + bytes > MOST_BYTES) {
            throw new RefusedException(
                    "allow",
                    bytes + " bytes of rules, beside " + others + " of other releases",
                    "must leave all rules together within " + MOST_BYTES
                            + " bytes; use rules instead of long allowlists, or end other releases");
        }
    }

    private static int largest(ReleaseSpec spec) {
        ReleaseRule live = new ReleaseRule(
                spec.id(),
                spec.version(),
                spec.services(),
                new Weighted(spec.bucketing(), Percent.HUNDRED, spec.allow()),
                spec.rules(),
                Integer.MAX_VALUE,
                spec.plan().slowerThan(),
                spec.plan().limits().maxP99());
        return RuleSetJson.write(RuleSet.of(0, 0, List.of(live))).length + REASON_BYTES;
    }
}
