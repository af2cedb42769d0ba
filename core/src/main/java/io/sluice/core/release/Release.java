package io.sluice.core.release;

import io.sluice.core.decision.Split;
import io.sluice.core.guard.Health;
import io.sluice.core.guard.StageGuard;
import io.sluice.core.guard.StageWatch;
import io.sluice.core.guard.Verdict;
import io.sluice.core.problem.DurationWord;
import io.sluice.core.problem.Problem;
import io.sluice.core.rule.ReleaseRule;
import java.time.Duration;
import java.util.Optional;

/**
 * A release at one moment. Immutable: each transition gives the next state, to be saved by compare-and-set.
 *
 * @param spec what was asked for
 * @param phase where it stands
 * @param step counts its changes of weight
 * @param retired whether processes need not know of it any more, since it never started or a later release took over
 * @param revision counts its saved states, from 1
 * @param stepBacks how often its guard has stepped back; an operator's {@link Command#BACK} does not count
 */
public record Release(ReleaseSpec spec, Phase phase, long step, boolean retired, long revision, int stepBacks) {
    /** One whose guard has never stepped back. */
    public Release(ReleaseSpec spec, Phase phase, long step, boolean retired, long revision) {
        this(spec, phase, step, retired, revision, 0);
    }

    /** A new release, not started. */
    public static Release draft(ReleaseSpec spec) {
        return new Release(spec, new Phase.Draft(), 0, false, 1);
    }

    public String id() {
        return spec.id();
    }

    /**
     * After a command.
     *
     * @return the next state, or this one when there is nothing to do
     * @throws CommandRefusedException when the phase does not allow it, or a later release took over
     */
    public Release on(Command command, String why) {
        if (retired && !(phase instanceof Phase.Aborted)) {
            throw new CommandRefusedException(
                    "cannot " + command.label() + " release " + id() + ": a later release of its services took over");
        }
        return withPhase(phase.on(command, spec.plan(), why));
    }

    /**
     * After a look at the evidence: a breach aborts in every live phase before completion, or steps back if the plan says
     * so; a stage that was held out and is healthy gives way to the next; a hold keeps it where it is, until it has been
     * on hold for longer than the plan bears.
     *
     * @param watched the time since the look before
     */
    public Release after(Verdict verdict, Duration watched) {
        if (isWatched() && verdict.health() == Health.BREACH) {
            return afterBreach(verdict);
        }
        if (!(phase instanceof Phase.Ramping ramping)) {
            return this;
        }
        Phase.Ramping held = ramping.heldFor(watched);
        if (!held.isHeldOut(spec.plan())) {
            return withPhase(held);
        }
        return withPhase(verdict.health() == Health.HEALTHY ? held.next(spec.plan()) : onHold(held, verdict));
    }

    /** The stage before was healthy when it was left, so its weight is the last safe one. See decision 0011. */
    private Release afterBreach(Verdict verdict) {
        Policy policy = spec.plan().policy();
        boolean stepsBack = policy.onBreach() == Policy.OnBreach.STEP_BACK
                && phase.stage() > 0
                && stepBacks < policy.mostStepBacks();
        String why = verdict.describe();
        return stepsBack
                ? withPhase(new Phase.Paused(phase.stage() - 1, Duration.ZERO, why), stepBacks + 1)
                : withPhase(new Phase.Aborted(why));
    }

    private Phase onHold(Phase.Ramping held, Verdict verdict) {
        Policy policy = spec.plan().policy();
        if (!held.isOnHoldTooLong(spec.plan())) {
            return held;
        }
        String why = "on hold for " + DurationWord.of(policy.holdLimit()) + ": " + verdict.describe();
        return switch (policy.onHold()) {
            case PAUSE -> new Phase.Paused(held.stage(), held.held(), why);
            case ABORT -> new Phase.Aborted(why);
            case WAIT -> held;
        };
    }

    /** How what is seen on its stage is to be followed; in a phase without a stage, as on the last one. */
    public StageWatch.Settings watching() {
        Plan plan = spec.plan();
        return StageWatch.Settings.of(plan.stages().get(stage()).hold(), plan.limits());
    }

    /** The guard of its stage; in a phase without a stage, of the last one. */
    public StageGuard guard() {
        return spec.guard(stage());
    }

    /** What its guard watches. */
    public Subject subject() {
        return new Subject(id(), step, spec.services(), guard(), watching());
    }

    private int stage() {
        return phase.stage() < 0 ? spec.plan().stages().size() - 1 : phase.stage();
    }

    /** The same, to be saved with something to note about it. */
    Release again() {
        return new Release(spec, phase, step, retired, revision + 1, stepBacks);
    }

    /** After a later release took over its services. */
    public Release retire() {
        return new Release(spec, phase, step, true, revision + 1, stepBacks);
    }

    /** Whether its guard must be watched. */
    public boolean isWatched() {
        return phase.isLive() && !phase.isOver();
    }

    /** Whether another release has to wait for its services. */
    public boolean claims(ReleaseSpec other) {
        return !phase.isOver() && spec.sharesServiceWith(other);
    }

    /** Whether the start of another release retires this one. */
    public boolean givesWayTo(ReleaseSpec other) {
        return phase.isOver() && !retired && spec.sharesServiceWith(other);
    }

    /**
     * What processes must know of it; empty before its start and after its retirement. The reason of an abort is shortened
     * there, since many rules share one document; the phase and the journal keep the whole.
     */
    public Optional<ReleaseRule> rule() {
        if (retired || phase instanceof Phase.Draft) {
            return Optional.empty();
        }
        Split live = spec.split(phase.percent(spec.plan()));
        Split split = phase instanceof Phase.Aborted aborted ? live.abort(Problem.printable(aborted.why())) : live;
        return Optional.of(spec.ruleOf(split, step));
    }

    private Release withPhase(Phase next) {
        return withPhase(next, stepBacks);
    }

    private Release withPhase(Phase next, int nextStepBacks) {
        if (next.equals(phase)) {
            return this;
        }
        boolean sameWeight =
                next.percent(spec.plan()).equals(phase.percent(spec.plan())) && next.isLive() == phase.isLive();
        // Given up before its start, it has nothing that processes need to know.
        boolean neverStarted = phase instanceof Phase.Draft && next.isOver();
        return new Release(
                spec, next, sameWeight ? step : step + 1, retired || neverStarted, revision + 1, nextStepBacks);
    }
}
