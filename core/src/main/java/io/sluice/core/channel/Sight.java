package io.sluice.core.channel;

import io.sluice.core.guard.Verdict;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one look saw of a release.
 *
 * @param fleet what runs
 * @param unaware who is not known to decide by what is published, in sentences
 * @param settled for how long everybody was known to
 * @param stirring why what is drained is not known to be silent, in sentences
 * @param progress of the order of this phase; null when there is none, or the deployer cannot be asked
 * @param deployer what the deployer says that cannot be asked; empty when it can
 * @param answer to the release's check; null when it is not asked
 * @param verdict of the guard; null where it has nothing to judge
 * @param watched the time since the look before
 */
record Sight(
        Fleet fleet,
        List<String> unaware,
        Duration settled,
        List<String> stirring,
        Deployer.@Nullable Progress progress,
        String deployer,
        Verification.@Nullable Answer answer,
        @Nullable Verdict verdict,
        Duration watched) {
    Sight {
        unaware = List.copyOf(unaware);
        stirring = List.copyOf(stirring);
    }

    static Sight of(Fleet fleet, Duration watched) {
        return new Sight(fleet, List.of(), Duration.ZERO, List.of(), null, "", null, null, watched);
    }

    Sight with(Verdict judged) {
        return new Sight(fleet, unaware, settled, stirring, progress, deployer, answer, judged, watched);
    }

    Sight with(Deployer.Progress told) {
        return new Sight(fleet, unaware, settled, stirring, told, "", answer, verdict, watched);
    }

    Sight withoutDeployer(String why) {
        return new Sight(fleet, unaware, settled, stirring, null, why, answer, verdict, watched);
    }

    Sight with(Verification.Answer given) {
        return new Sight(fleet, unaware, settled, stirring, progress, deployer, given, verdict, watched);
    }
}
