package io.sluice.server.releases;

import io.sluice.core.problem.RefusedException;
import io.sluice.core.release.Command;
import io.sluice.core.release.CommandRefusedException;
import io.sluice.core.release.Release;
import io.sluice.core.rule.ReleaseRule;
import io.sluice.core.rule.RuleSet;
import io.sluice.wire.RuleSetJson;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Keeps the rule set within what processes take: they refuse a larger document whole, and then no abort would arrive. So
 * each release takes the room of its largest state to come, the longest reason of an abort included.
 */
final class RuleRoom {
    /** The largest document that processes take. */
    static final int MOST_BYTES = 1 << 20;

    // The longest reason there may be, of characters that take the most bytes.
    private static final String LONGEST_WHY = "\u9519".repeat(500);

    // What a step and a percentage may grow by, and a comma.
    private static final int GROWTH = 64;
    private static final int EMPTY = RuleSetJson.write(RuleSet.of(Long.MAX_VALUE, Long.MAX_VALUE, List.of())).length;

    private RuleRoom() {}

    /** @throws RefusedException when there is no room for one more beside the others */
    static void require(Release added, List<Release> others) {
        long own = need(added);
        long taken = EMPTY + others.stream().mapToLong(RuleRoom::need).sum();
        if (own + taken > MOST_BYTES) {
            throw new RefusedException(
                    "allow",
                    own + " bytes in all, beside " + taken + " of other releases",
                    "must leave all rules together within " + MOST_BYTES
                            + " bytes; use rules instead of long allowlists, or end other releases");
        }
    }

    /** The most bytes that it takes in a rule set from now on. */
    static long need(Release release) {
        return Stream.of(
                        release.rule(),
                        started(release).rule(),
                        aborted(release).rule())
                .flatMap(Optional::stream)
                .mapToLong(rule -> bytes(rule) + GROWTH)
                .max()
                .orElse(0);
    }

    private static Release started(Release release) {
        return after(release, Command.START, "");
    }

    private static Release aborted(Release release) {
        return after(started(release), Command.ABORT, LONGEST_WHY);
    }

    private static Release after(Release release, Command command, String why) {
        try {
            return release.on(command, why);
        } catch (CommandRefusedException impossible) {
            return release;
        }
    }

    private static long bytes(ReleaseRule rule) {
        return RuleSetJson.write(RuleSet.of(0, 0, List.of(rule))).length;
    }
}
