package io.sluice.core.release;

import io.sluice.core.decision.Split;
import io.sluice.core.guard.Health;
import io.sluice.core.guard.StageGuard;
import io.sluice.core.guard.StageWatch;
import io.sluice.core.guard.Verdict;
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
 */
public record Release(ReleaseSpec spec, Phase phase, long step, boolean retired, long revision) {
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
     * After a look at the evidence: a breach aborts in every live phase before completion; a stage that was held out and
     * is healthy gives way to the next; a hold keeps it where it is.
     *
     * @param watched the time since the look before
     */
    public Release after(Verdict verdict, Duration watched) {
        if (phase.isLive() && !phase.isOver() && verdict.health() == Health.BREACH) {
            return withPhase(new Phase.Aborted(verdict.describe()));
        }
        if (!(phase instanceof Phase.Ramping ramping)) {
            return this;
        }
        Phase.Ramping held = ramping.heldFor(watched);
        boolean goesOn = held.isHeldOut(spec.plan()) && verdict.health() == Health.HEALTHY;
        return withPhase(goesOn ? held.next(spec.plan()) : held);
    }

    /** How what is seen on its stage is to be followed; in a phase without a stage, as on the last one. */
    public StageWatch.Settings watching() {
        return StageWatch.Settings.of(
                spec.plan().stages().get(stage()).hold(), spec.plan().limits());
    }

    /** The guard of its stage; in a phase without a stage, of the last one. */
    public StageGuard guard() {
        return spec.guard(stage());
    }

    private int stage() {
        return phase.stage() < 0 ? spec.plan().stages().size() - 1 : phase.stage();
    }

    /** The same, to be saved with something to note about it. */
    Release again() {
        return new Release(spec, phase, step, retired, revision + 1);
    }

    /** After a later release took over its services. */
    public Release retire() {
        return new Release(spec, phase, step, true, revision + 1);
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
        if (next.equals(phase)) {
            return this;
        }
        boolean sameWeight =
                next.percent(spec.plan()).equals(phase.percent(spec.plan())) && next.isLive() == phase.isLive();
        // Given up before its start, it has nothing that processes need to know.
        boolean neverStarted = phase instanceof Phase.Draft && next.isOver();
        return new Release(spec, next, sameWeight ? step : step + 1, retired || neverStarted, revision + 1);
    }
}
