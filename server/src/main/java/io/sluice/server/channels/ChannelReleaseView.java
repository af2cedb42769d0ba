package io.sluice.server.channels;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.sluice.core.channel.ChannelPhase;
import io.sluice.core.channel.ChannelRelease;
import io.sluice.core.channel.ChannelReleaseSpec;
import io.sluice.core.channel.Strategy;
import io.sluice.core.channel.WayBack;
import io.sluice.core.channel.Workload;
import io.sluice.core.guard.Verdict;
import io.sluice.core.release.Command;
import io.sluice.core.release.Stage;
import io.sluice.core.rule.Flow;
import io.sluice.core.tag.Color;
import io.sluice.server.audit.JournalView.VerdictView;
import io.sluice.server.ledger.Reach;
import io.sluice.server.ledger.ShownRelease;
import io.sluice.wire.ChannelReleaseSpecJson;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A release of a channel as the API shows it: what was asked for, where it stands, what it waits for, and what may be said
 * to it now.
 *
 * @param phase where it stands; of a paused or a restoring one, where inside that
 * @param side that the phase is about; null when about none
 * @param stage from 0; null in a phase without stages
 * @param percent the share of the side that is being released
 * @param batch of a rolling release; null outside one
 * @param waitingFor why it does not go on, in sentences
 * @param unapplied who is not known to decide by the newest rules: an abort is complete once nobody is named; of none that is over
 * @param unreached all processes that are known and were not heard of for ten seconds
 * @param advice what one side will have to bear, in sentences; of a release that was not started
 * @param crossed how many requests came to an instance with the other color, since it started
 */
public record ChannelReleaseView(
        String id,
        String strategy,
        String channel,
        String version,
        List<String> services,
        String phase,
        boolean paused,
        boolean restoring,

        @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable String side,

        @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable Integer stage,

        @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable Integer stages,

        @Nullable BigDecimal percent,
        @Nullable BigDecimal bluePercent,
        @Nullable BatchView batch,
        @Nullable Long heldMillis,
        @Nullable Long holdMillis,
        long step,
        long revision,
        int stepBacks,

        @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable String why,

        boolean wayBack,
        String wayBackWhy,
        List<String> waitingFor,
        List<Sides.Side> sides,
        List<String> unapplied,
        List<String> unreached,
        List<Refusal> refusals,
        long crossed,
        List<String> advice,
        @Nullable VerdictView verdict,
        List<String> allowedCommands,
        String deployer,
        @Nullable String check,
        JsonNode waits,
        @Nullable JsonNode plan,
        @Nullable JsonNode guard,
        @Nullable JsonNode green,
        @Nullable JsonNode extra,
        @Nullable Integer batches,
        @Nullable String between)
        implements ShownRelease {
    private static final JsonMapper TREES = new JsonMapper();

    /** A process that could not use the newest rules it got. */
    public record Refusal(String instance, String why) {}

    /** The instances that a rolling release is busy with. @param index from 0 */
    public record BatchView(int index, String part, List<String> instances) {}

    static ChannelReleaseView of(
            ChannelRelease release,
            List<Sides.Side> sides,
            List<Workload> known,
            Reach reach,
            WayBack wayBack,
            List<String> waitingFor,
            List<String> advice,
            @Nullable Verdict verdict) {
        ChannelReleaseSpec spec = release.spec();
        JsonNode asked = TREES.readTree(ChannelReleaseSpecJson.write(spec));
        ChannelPhase at = release.phase().at();
        Color side = at.side();
        ChannelPhase.Admitting admitting = at instanceof ChannelPhase.Admitting found ? found : null;
        List<Stage> stages = admitting == null ? List.of() : stages(spec, admitting.side());
        Flow flow = release.flow().orElse(null);
        boolean blueGreen = spec.strategy() instanceof Strategy.BlueGreen;
        return new ChannelReleaseView(
                release.id(),
                spec.strategy().label(),
                spec.channel(),
                spec.version(),
                spec.services(),
                at.label(),
                release.isPaused(),
                release.isRestoring(),
                side == null ? null : side.label(),
                admitting == null ? null : admitting.stage(),
                admitting == null ? null : stages.size(),
                flow == null ? null : number(flow.shareOf(flow.admitted()).number()),
                blueGreen ? number(release.bluePercent().number()) : null,
                at instanceof ChannelPhase.Batch batch
                        ? new BatchView(batch.index(), batch.part().label(), batch.instances())
                        : null,
                held(at),
                hold(spec, at),
                release.step(),
                release.revision(),
                release.stepBacks(),
                ChannelStateJson.why(release.phase()),
                wayBack.isOpen(),
                wayBack.why(),
                waitingFor,
                sides,
                release.phase().isOver() ? List.of() : reach.unapplied(),
                reach.unreached(),
                known.stream()
                        .filter(each -> !each.refusal().isEmpty())
                        .map(each -> new Refusal(each.instance(), each.refusal()))
                        .toList(),
                known.stream()
                        .filter(each -> spec.services().contains(each.service()))
                        .mapToLong(Workload::crossed)
                        .sum(),
                advice,
                VerdictView.of(verdict),
                release.allowed().stream().map(Command::label).toList(),
                spec.deployer(),
                spec.check().isManual() ? null : String.valueOf(spec.check().url()),
                asked.path("waits"),
                asked.get("plan"),
                asked.get("guard"),
                asked.get("green"),
                asked.get("extra"),
                spec.strategy() instanceof Strategy.Rolling rolling ? rolling.batches() : null,
                blueGreen ? null : asked.path("between").asString());
    }

    /** How long it has been watched where it stands; null where it is not held for a time. */
    private static @Nullable Long held(ChannelPhase at) {
        if (at instanceof ChannelPhase.Admitting admitting) {
            return admitting.held().toMillis();
        }
        return isHeld(at) && at instanceof ChannelPhase.Batch batch
                ? batch.taken().toMillis()
                : null;
    }

    private static @Nullable Long hold(ChannelReleaseSpec spec, ChannelPhase at) {
        if (at instanceof ChannelPhase.Admitting admitting) {
            return stages(spec, admitting.side()).get(admitting.stage()).hold().toMillis();
        }
        return isHeld(at) && spec.strategy() instanceof Strategy.Rolling rolling
                ? rolling.between().toMillis()
                : null;
    }

    private static boolean isHeld(ChannelPhase at) {
        return at instanceof ChannelPhase.Batch batch && batch.part() == ChannelPhase.Batch.Part.HOLDING;
    }

    private static List<Stage> stages(ChannelReleaseSpec spec, Color side) {
        return spec.strategy() instanceof Strategy.BlueGreen strategy
                ? side == Color.BLUE ? strategy.plan().stages() : strategy.green()
                : List.of();
    }

    private static BigDecimal number(String percent) {
        return new BigDecimal(percent);
    }
}
