package io.sluice.core.channel;

import io.sluice.core.decision.Percent;
import io.sluice.core.guard.StageGuard;
import io.sluice.core.guard.StageWatch;
import io.sluice.core.release.Command;
import io.sluice.core.release.Plan;
import io.sluice.core.release.Stage;
import io.sluice.core.release.Subject;
import io.sluice.core.rule.Flow;
import io.sluice.core.rule.Renewal;
import io.sluice.core.tag.Color;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A release of a channel at one moment. Immutable: each transition gives the next state, to be saved by compare-and-set.
 *
 * @param spec what was asked for
 * @param phase where it stands
 * @param roster the channel's instances when it started
 * @param scaled whether a side was made larger, by the release or by hand, and is to be made as large as it was
 * @param step counts its changes of weight; of a rolling release, how often a batch left the traffic or came into it
 * @param revision counts its saved states, from 1
 * @param stepBacks how often its guard has stepped back
 */
public record ChannelRelease(
        ChannelReleaseSpec spec,
        ChannelPhase phase,
        Roster roster,
        boolean scaled,
        long step,
        long revision,
        int stepBacks) {
    private static final Percent HALF = Percent.of(50);

    /** One whose guard has never stepped back. */
    public ChannelRelease(
            ChannelReleaseSpec spec, ChannelPhase phase, Roster roster, boolean scaled, long step, long revision) {
        this(spec, phase, roster, scaled, step, revision, 0);
    }

    /** A new release, not started. */
    public static ChannelRelease draft(ChannelReleaseSpec spec) {
        return new ChannelRelease(spec, new ChannelPhase.Draft(), Roster.empty(), false, 0, 1);
    }

    public String id() {
        return spec.id();
    }

    /**
     * After an operator's command.
     *
     * @param workloads what runs: a start takes the roster from it, and nothing that gives a side more share goes past it
     * @return the next state, or this one when there is nothing to do
     * @throws io.sluice.core.release.CommandRefusedException when the phase does not allow it, or what runs does not; an
     *     abort that can send nobody anywhere begins with {@link WayBack#REFUSED}
     */
    public ChannelRelease on(Command command, String why, Workloads workloads) {
        return new Steering(this, why, Fleet.of(workloads)).on(command);
    }

    /** What an operator may say now, as far as the phase decides it. */
    public List<Command> allowed() {
        return Steering.allowed(this);
    }

    /** Whether it can be taken back now. When not, an abort is refused and changes nothing. */
    public WayBack wayBack(Workloads workloads) {
        return wayBack(Fleet.of(workloads));
    }

    /** Whether it is on its way back, or was taken back: nothing leads forward any more. */
    public boolean isRestoring() {
        ChannelPhase outer = phase instanceof ChannelPhase.Paused paused ? paused.inner() : phase;
        return outer instanceof ChannelPhase.Restoring || outer instanceof ChannelPhase.Returned;
    }

    /** Whether green's deployment has begun: no abort is possible any more. */
    public boolean isPastNoReturn() {
        return spec.strategy() instanceof Strategy.BlueGreen && runsNewVersion(Color.GREEN);
    }

    public boolean isPaused() {
        return phase instanceof ChannelPhase.Paused;
    }

    /** The flow of its channel; empty before its start, at its end, and in a rolling release. */
    public Optional<Flow> flow() {
        Shares shares = shares(phase);
        if (shares == null || !(spec.strategy() instanceof Strategy.BlueGreen blueGreen)) {
            return Optional.empty();
        }
        Plan plan = blueGreen.plan();
        return Optional.of(new Flow(
                id(),
                spec.version(),
                shares.admitted(),
                shares.blue(),
                closed(),
                step,
                plan.slowerThan(),
                plan.limits().maxP99()));
    }

    /** What its instances must know to count their requests while a guard watches a rolling release; empty otherwise. */
    public Optional<Renewal> renewal() {
        BatchGuard guard = batchGuard();
        if (guard == null || phase instanceof ChannelPhase.Draft || phase.isOver()) {
            return Optional.empty();
        }
        Duration limit = guard.limits().maxP99();
        return Optional.of(new Renewal(id(), spec.version(), step, limit, limit));
    }

    /** The share of the new version in a rolling release, by instances in the traffic; 0 % when none is there. */
    public Percent renewedPercent() {
        return spec.strategy() instanceof Strategy.Rolling ? batches().renewedPercent() : Percent.ZERO;
    }

    /** The instances that a rolling release has taken out of the traffic, by name. */
    public Set<String> resting() {
        return phase.at() instanceof ChannelPhase.Batch batch && batch.part().isResting()
                ? Set.copyOf(batch.instances())
                : Set.of();
    }

    /** The share of blue; a half where colors do not matter. */
    public Percent bluePercent() {
        Shares shares = shares(phase);
        return shares == null ? HALF : shares.blue();
    }

    /** What the guard watches; empty where it has nothing to say. */
    public Optional<Subject> subject() {
        if (isRestoring()) {
            return Optional.empty();
        }
        if (!(spec.strategy() instanceof Strategy.BlueGreen blueGreen)) {
            return batches().subject();
        }
        ChannelPhase at = phase.at();
        if (at instanceof ChannelPhase.Admitting admitting) {
            return Optional.of(subject(blueGreen, stages(admitting.side()), admitting.stage()));
        }
        // All traffic is on blue, and there is a way back: a breach may still take it.
        boolean isAllBlue = at instanceof ChannelPhase.Confirming
                || at instanceof ChannelPhase.Draining draining && draining.side() == Color.GREEN;
        List<Stage> stages = blueGreen.plan().stages();
        return isAllBlue ? Optional.of(subject(blueGreen, stages, stages.size() - 1)) : Optional.empty();
    }

    /**
     * What the deployer is to do in this phase; empty when nothing. The same phase gives the same order with the same key,
     * whoever asks and however often.
     */
    public Optional<Deployer.Order> order() {
        if (isPaused()) {
            return Optional.empty();
        }
        ChannelPhase at = phase.at();
        String doing = isRestoring() ? "restore-" : "deploy-";
        if (at instanceof ChannelPhase.Deploying deploying) {
            Color side = deploying.side();
            return Optional.of(order(doing + side.label(), deploying.attempt(), targets(List.of(side), true)));
        }
        if (at instanceof ChannelPhase.Scaling scaling) {
            return Optional.of(order(
                    scaling.up() ? "scale-up" : "scale-down",
                    scaling.attempt(),
                    targets(List.of(Color.values()), scaling.up())));
        }
        if (at instanceof ChannelPhase.Batch batch && batch.part() == ChannelPhase.Batch.Part.DEPLOYING) {
            return Optional.of(order(
                    doing + "batch-" + (batch.index() + 1),
                    batch.attempt(),
                    batches().targets(batch)));
        }
        return Optional.empty();
    }

    /** Whether this phase waits for the release's check, or for a human in its place. */
    boolean isChecked() {
        ChannelPhase at = phase.at();
        return at instanceof ChannelPhase.Verifying
                || at instanceof ChannelPhase.Confirming
                || at instanceof ChannelPhase.Batch batch && batch.part() == ChannelPhase.Batch.Part.VERIFYING;
    }

    /** Whether an instance is being drained, and must be seen to be silent. */
    boolean isDraining(Workload workload) {
        ChannelPhase at = phase.at();
        if (at instanceof ChannelPhase.Batch batch) {
            return batch.part() == ChannelPhase.Batch.Part.DRAINING
                    && batch.instances().contains(workload.instance());
        }
        return at instanceof ChannelPhase.Draining draining
                && draining.side() == workload.color()
                && spec.services().contains(workload.service());
    }

    /** Where it stands, in words: {@code admitting blue 5%}. */
    String outcome() {
        return spec.strategy() instanceof Strategy.BlueGreen ? phase.words() + " " + bluePercent() : phase.words();
    }

    ChannelRelease with(ChannelPhase next) {
        return with(next, roster, scaled, stepBacks);
    }

    ChannelRelease with(ChannelPhase next, Roster nextRoster, boolean nextScaled, int nextStepBacks) {
        if (next.equals(phase)) {
            return this;
        }
        boolean sameCounts = Objects.equals(shares(next), shares(phase)) && Objects.equals(crowd(next), crowd(phase));
        return new ChannelRelease(
                spec, next, nextRoster, nextScaled, sameCounts ? step : step + 1, revision + 1, nextStepBacks);
    }

    /** The same, to be saved with something to note about it. */
    ChannelRelease again() {
        return new ChannelRelease(spec, phase, roster, scaled, step, revision + 1, stepBacks);
    }

    List<Stage> stages(Color side) {
        Strategy.BlueGreen blueGreen = (Strategy.BlueGreen) spec.strategy();
        return side == Color.BLUE ? blueGreen.plan().stages() : blueGreen.green();
    }

    Plan plan() {
        return ((Strategy.BlueGreen) spec.strategy()).plan();
    }

    WayBack wayBack(Fleet fleet) {
        ChannelPhase at = phase.at();
        if (phase.isOver()) {
            return WayBack.closed("it is over");
        }
        if (isRestoring()) {
            return WayBack.OPEN;
        }
        if (spec.strategy() instanceof Strategy.Rolling) {
            return at instanceof ChannelPhase.Batch batch ? batches().wayBack(batch, fleet) : WayBack.OPEN;
        }
        if (isPastNoReturn()) {
            return WayBack.closed("green's deployment has begun, so no side is whole with the old version");
        }
        if (shares(phase) == null || bluePercent().equals(Percent.ZERO)) {
            return WayBack.OPEN;
        }
        // One that has been told to leave its registry comes back first, and gets its share then.
        boolean isLeaving = at instanceof ChannelPhase.Draining draining && draining.leaving();
        List<Fleet.Need> needs = needs(Color.GREEN, fleet).stream()
                .map(need -> need.fewer(enoughToGoBack(need.count())))
                .toList();
        List<String> missing = isLeaving ? fleet.unready(needs) : fleet.absent(needs);
        return missing.isEmpty() ? WayBack.OPEN : WayBack.closed(String.join("; ", missing));
    }

    /**
     * How many of green's instances an abort needs: while green carries half of the traffic or more, one that is well is
     * enough, since the abort at most doubles what they have; beyond that, half of them.
     */
    private int enoughToGoBack(int whole) {
        return bluePercent().compareTo(HALF) > 0 ? (whole + 1) / 2 : 1;
    }

    /**
     * Why a phase must wait: a side gets more share, or others are taken out, only while those that have to carry the
     * traffic then are all there. Empty when nothing is in the way.
     */
    List<String> obstacles(ChannelPhase next, Fleet fleet) {
        List<String> obstacles = new ArrayList<>();
        if (spec.strategy() instanceof Strategy.Rolling) {
            return next instanceof ChannelPhase.Batch batch ? batches().obstacles(batch, fleet) : obstacles;
        }
        if (isRestoring() && phase.at() instanceof ChannelPhase.Deploying deploying) {
            // The order may never have been given, and nothing gives it later.
            obstacles.addAll(fleet.unready(needs(deploying.side(), fleet)));
        }
        int before = bluePercent().basisPoints();
        Shares shares = shares(next);
        int after = (shares == null ? HALF : shares.blue()).basisPoints();
        if (after > before) {
            obstacles.addAll(fleet.absent(needs(Color.BLUE, fleet)));
        } else if (after < before) {
            obstacles.addAll(fleet.absent(needs(Color.GREEN, fleet)));
        }
        return obstacles;
    }

    /** What has to run on a side: of every service as many as when it started, and those that it was made larger by. */
    List<Fleet.Need> needs(Color side, Fleet fleet) {
        return spec.services().stream()
                .map(service -> new Fleet.Need(
                        service,
                        side.label() + " instances",
                        fleet.side(service, side),
                        version(service, side),
                        count(service, side, scaled)))
                .toList();
    }

    /** What a rolling release knows of its batches. Only to be asked of one. */
    Batches batches() {
        return new Batches(this, (Strategy.Rolling) spec.strategy());
    }

    /** By what a rolling release is judged; null where nothing is. */
    @Nullable
    BatchGuard batchGuard() {
        return spec.strategy() instanceof Strategy.Rolling rolling ? rolling.guard() : null;
    }

    private Subject subject(Strategy.BlueGreen blueGreen, List<Stage> stages, int stage) {
        Plan plan = blueGreen.plan();
        StageGuard guard = plan.guard(stages, stage, spec.services().size(), true);
        Duration hold = stages.get(stage).hold();
        return new Subject(id(), step, spec.services(), guard, StageWatch.Settings.of(hold, plan.limits()));
    }

    private Deployer.Order order(String word, int attempt, List<Deployer.Target> targets) {
        return new Deployer.Order(id() + "/" + word + "/" + attempt, id(), spec.channel(), targets);
    }

    private List<Deployer.Target> targets(List<Color> sides, boolean withExtra) {
        List<Deployer.Target> targets = new ArrayList<>();
        for (String service : spec.services()) {
            for (Color side : sides) {
                targets.add(new Deployer.Target(
                        service, side, version(service, side), count(service, side, withExtra && scaled), List.of()));
            }
        }
        return targets;
    }

    private int count(String service, Color side, boolean withExtra) {
        int extra = withExtra && spec.strategy() instanceof Strategy.BlueGreen blueGreen
                ? blueGreen.extra().getOrDefault(service, 0)
                : 0;
        return roster.of(service, side).size() + extra;
    }

    /** What a side runs, or is to run when this phase is done with it. */
    private String version(String service, Color side) {
        List<String> before = roster.versions(service, side);
        return runsNewVersion(side) || before.isEmpty() ? spec.version() : before.get(0);
    }

    private boolean runsNewVersion(Color side) {
        ChannelPhase at = phase.at();
        boolean isBack = phase instanceof ChannelPhase.Paused paused && paused.inner() instanceof ChannelPhase.Restoring
                || phase instanceof ChannelPhase.Restoring;
        if (isBack) {
            // Green never had it. Blue has it until it is deployed once more, and gets no share before that.
            return false;
        }
        Color of = at.side();
        if (of == null) {
            return at instanceof ChannelPhase.Scaling scaling && !scaling.up()
                    || at instanceof ChannelPhase.Completed
                    || side == Color.BLUE
                            && (at instanceof ChannelPhase.Confirming || at instanceof ChannelPhase.Returned);
        }
        return of == side ? !(at instanceof ChannelPhase.Draining) : side == Color.BLUE;
    }

    private @Nullable Color closed() {
        ChannelPhase at = phase.at();
        if (at instanceof ChannelPhase.Returned returned) {
            return returned.leaving() ? Color.BLUE : null;
        }
        boolean isClosed = at instanceof ChannelPhase.Draining draining && draining.leaving()
                || at instanceof ChannelPhase.Deploying
                || at instanceof ChannelPhase.Verifying;
        return isClosed ? at.side() : null;
    }

    /** What counting depends on: the sides' shares, and which of them is let in. */
    private record Shares(Percent blue, Color admitted) {}

    /** Who is in the traffic of a rolling release: all but a batch, or all again. */
    private record Crowd(int batch, boolean isOut) {}

    private static @Nullable Crowd crowd(ChannelPhase of) {
        return of.at() instanceof ChannelPhase.Batch batch
                ? new Crowd(batch.index(), batch.part().isResting())
                : null;
    }

    private @Nullable Shares shares(ChannelPhase of) {
        ChannelPhase at = of.at();
        if (at instanceof ChannelPhase.Admitting admitting) {
            Percent own = stages(admitting.side()).get(admitting.stage()).percent();
            return admitting.side() == Color.BLUE
                    ? new Shares(own, Color.BLUE)
                    : new Shares(new Percent(Percent.HUNDRED.basisPoints() - own.basisPoints()), Color.GREEN);
        }
        Color side = at.side();
        if (side != null) {
            return new Shares(side == Color.BLUE ? Percent.ZERO : Percent.HUNDRED, Color.BLUE);
        }
        if (at instanceof ChannelPhase.Confirming) {
            return new Shares(Percent.HUNDRED, Color.BLUE);
        }
        return at instanceof ChannelPhase.Returned ? new Shares(Percent.ZERO, Color.BLUE) : null;
    }
}
