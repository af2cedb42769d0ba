package io.sluice.server.releases;

import io.sluice.core.guard.Verdict;
import io.sluice.core.release.Command;
import io.sluice.core.release.CommandRefusedException;
import io.sluice.core.release.Phase;
import io.sluice.core.release.Release;
import io.sluice.core.release.Stage;
import io.sluice.server.audit.JournalView.VerdictView;
import io.sluice.server.ledger.Ledger;
import io.sluice.server.ledger.Reach;
import io.sluice.server.ledger.ShownRelease;
import io.sluice.wire.ReleaseSpecJson;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A release as the API shows it: what was asked for, where it stands, and what may be said to it now.
 *
 * @param unapplied who is not known to decide by the newest rules: an abort is complete once nobody is named
 * @param unreached who was not heard of for ten seconds; like the others of none that processes need not know of
 */
record ReleaseView(
        String id,
        String strategy,
        String version,
        List<String> services,
        String salt,
        String hash,
        int allow,
        JsonNode rules,
        JsonNode plan,
        JsonNode guard,
        String phase,
        @Nullable Integer stage,
        BigDecimal percent,
        @Nullable Long heldMillis,
        @Nullable Long holdMillis,
        long step,
        long revision,
        int stepBacks,
        @Nullable String why,
        boolean retired,
        List<String> unapplied,
        List<String> unreached,
        @Nullable VerdictView verdict,
        List<String> allowedCommands)
        implements ShownRelease {
    private static final JsonMapper TREES = new JsonMapper();

    static ReleaseView of(Release release, Reach reach, @Nullable Verdict verdict) {
        PhaseColumns at = PhaseColumns.of(release.phase());
        JsonNode spec = TREES.readTree(ReleaseSpecJson.write(release.spec()));
        return new ReleaseView(
                release.id(),
                Ledger.CANARY,
                release.spec().version(),
                release.spec().services(),
                spec.path("salt").stringValue(),
                spec.path("hash").stringValue(),
                release.spec().allow().size(),
                spec.path("rules"),
                spec.path("plan"),
                spec.path("guard"),
                at.phase(),
                at.stage(),
                new BigDecimal(release.phase().percent(release.spec().plan()).number()),
                at.heldNanos() == null ? null : Duration.ofNanos(at.heldNanos()).toMillis(),
                hold(release),
                release.step(),
                release.revision(),
                release.stepBacks(),
                at.why(),
                release.retired(),
                reach.unapplied(),
                reach.unreached(),
                VerdictView.of(verdict),
                allowedCommands(release));
    }

    private static @Nullable Long hold(Release release) {
        List<Stage> stages = release.spec().plan().stages();
        if (release.phase() instanceof Phase.Ramping ramping) {
            return stages.get(ramping.stage()).hold().toMillis();
        }
        return release.phase() instanceof Phase.Paused paused
                ? stages.get(paused.stage()).hold().toMillis()
                : null;
    }

    /** Found by trying, so that the phases remain the one place that knows. */
    private static List<String> allowedCommands(Release release) {
        return Stream.of(Command.values())
                .filter(command -> changes(release, command))
                .map(Command::label)
                .toList();
    }

    private static boolean changes(Release release, Command command) {
        try {
            return !release.on(command, "").equals(release);
        } catch (CommandRefusedException refused) {
            return false;
        }
    }
}
