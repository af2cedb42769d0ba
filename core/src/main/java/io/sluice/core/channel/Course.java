package io.sluice.core.channel;

import io.sluice.core.channel.ChannelPhase.Batch;
import io.sluice.core.guard.Health;
import io.sluice.core.guard.Verdict;
import io.sluice.core.problem.DurationWord;
import io.sluice.core.release.JournalEntry;
import io.sluice.core.release.Policy;
import io.sluice.core.release.Stage;
import io.sluice.core.tag.Color;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether it is time for a release to go on, by what one look saw; and what it waits for while it is not. */
final class Course {
    private final ChannelRelease release;
    private final Sight sight;
    private final List<String> waiting = new ArrayList<>();

    Course(ChannelRelease release, Sight sight) {
        this.release = release;
        this.sight = sight;
    }

    /**
     * What comes of a look.
     *
     * @param release the next state, or the same one
     * @param waitingFor what it waits for, in sentences; empty when it goes on, or is over
     * @param actor who is behind a change
     * @param action its word in the journal
     * @param why its reason
     */
    record Next(ChannelRelease release, List<String> waitingFor, String actor, String action, String why) {
        Next {
            waitingFor = List.copyOf(waitingFor);
        }

        Next of(ChannelRelease saved) {
            return new Next(saved, waitingFor, actor, action, why);
        }
    }

    Next next() {
        Verdict verdict = sight.verdict();
        boolean mayTakeBack = release.subject().isPresent() && !isOnGreen();
        if (verdict != null && verdict.health() == Health.BREACH && mayTakeBack && !isLeftToHumans()) {
            return afterBreach(verdict);
        }
        ChannelPhase phase = release.phase();
        if (phase instanceof ChannelPhase.Paused paused) {
            waiting.add("somebody to resume it" + (paused.why().isEmpty() ? "" : ": " + paused.why()));
            return stay(phase);
        }
        ChannelPhase at = phase.at();
        if (at instanceof ChannelPhase.Draining draining) {
            return draining(draining);
        }
        if (at instanceof ChannelPhase.Deploying deploying) {
            return deploying(deploying);
        }
        if (at instanceof ChannelPhase.Scaling scaling) {
            return scaling(scaling);
        }
        if (at instanceof ChannelPhase.Opening opening) {
            return opening(opening);
        }
        if (at instanceof ChannelPhase.Admitting admitting) {
            return admitting(admitting, verdict);
        }
        if (at instanceof Batch batch) {
            return batch(batch);
        }
        return at instanceof ChannelPhase.Returned returned ? returned(returned) : checked(at);
    }

    /** Whether a breach has been told of already, and nothing but that was asked for. */
    private boolean isLeftToHumans() {
        BatchGuard guard = release.batchGuard();
        return release.isPaused() && guard != null && guard.onBreach() == BatchGuard.OnBreach.PAUSE;
    }

    private boolean isOnGreen() {
        return release.phase().at() instanceof ChannelPhase.Admitting admitting && admitting.side() == Color.GREEN;
    }

    private Next draining(ChannelPhase.Draining draining) {
        waiting.addAll(sight.unaware());
        if (draining.leaving()) {
            waiting.addAll(sight.stirring());
        } else {
            waitForGrace();
        }
        return onIfNothingIsMissing();
    }

    private void waitForGrace() {
        Duration grace = release.spec().waits().grace();
        if (waiting.isEmpty() && sight.settled().compareTo(grace) < 0) {
            waiting.add("requests under way: " + word(sight.settled()) + " of " + DurationWord.of(grace));
        }
    }

    /** Who has not heard of an abort is named for as long as that is so: it is not complete before. */
    private Next returned(ChannelPhase.Returned returned) {
        waiting.addAll(sight.unaware());
        if (!returned.leaving()) {
            // Its last requests still call each other.
            waitForGrace();
            if (waiting.isEmpty()) {
                ChannelRelease closed = release.with(new ChannelPhase.Returned(returned.why(), true));
                return new Next(closed, waiting, JournalEntry.ORCHESTRATOR, "advance", "");
            }
        }
        waiting.add("promote, to bring blue back to the old version");
        return stay(returned);
    }

    private Next deploying(ChannelPhase.Deploying deploying) {
        Color side = deploying.side();
        Duration taken = deploying.taken().plus(sight.watched());
        return work(
                release.needs(side, sight.fleet()),
                taken,
                new ChannelPhase.Deploying(side, deploying.attempt(), taken),
                new ChannelPhase.Deploying(side, deploying.attempt(), Duration.ZERO),
                new ChannelPhase.Deploying(side, deploying.attempt() + 1, Duration.ZERO));
    }

    private Next scaling(ChannelPhase.Scaling scaling) {
        Duration taken = scaling.taken().plus(sight.watched());
        List<Fleet.Need> needs = new ArrayList<>();
        if (scaling.up()) {
            needs.addAll(release.needs(Color.BLUE, sight.fleet()));
            needs.addAll(release.needs(Color.GREEN, sight.fleet()));
        }
        return work(
                needs,
                taken,
                new ChannelPhase.Scaling(scaling.up(), scaling.attempt(), taken),
                new ChannelPhase.Scaling(scaling.up(), scaling.attempt(), Duration.ZERO),
                new ChannelPhase.Scaling(scaling.up(), scaling.attempt() + 1, Duration.ZERO));
    }

    /**
     * A deployer's work: done when the deployer says so and the processes show it.
     *
     * @param going the phase while it goes on
     * @param late the phase that a human resumes after the deadline, with the same order
     * @param again the phase that a human resumes after a failure, with a new order
     */
    private Next work(
            List<Fleet.Need> needs, Duration taken, ChannelPhase going, ChannelPhase late, ChannelPhase again) {
        Deployer.Progress progress = sight.progress();
        if (progress instanceof Deployer.Progress.Failed failed) {
            return pause(wrapped(again), "deployer " + release.spec().deployer() + " gave up: " + failed.why());
        }
        if (progress instanceof Deployer.Progress.WaitsForHuman human) {
            // People have no deadline.
            waiting.add("promote, when it is done: " + human.what());
            return stay(release.phase());
        }
        if (progress instanceof Deployer.Progress.Running running) {
            waiting.add("deployer " + release.spec().deployer() + ": " + running.note());
        } else if (progress == null) {
            waiting.add(sight.deployer());
        }
        waiting.addAll(sight.fleet().unready(needs));
        if (waiting.isEmpty()) {
            return on();
        }
        Duration within = release.spec().waits().deployWithin();
        return taken.compareTo(within) < 0
                ? stay(wrapped(going))
                : pause(
                        wrapped(late),
                        "not finished within " + DurationWord.of(within) + ": " + String.join("; ", waiting));
    }

    private Next opening(ChannelPhase.Opening opening) {
        Color side = opening.side();
        waiting.addAll(sight.fleet().absent(release.needs(side, sight.fleet())));
        waiting.addAll(sight.unaware());
        if (!waiting.isEmpty()) {
            return stay(wrapped(new ChannelPhase.Opening(side, Duration.ZERO)));
        }
        Duration openFor = opening.openFor().plus(sight.watched());
        waitForSpread(openFor);
        return waiting.isEmpty() ? on() : stay(wrapped(new ChannelPhase.Opening(side, openFor)));
    }

    private void waitForSpread(Duration openFor) {
        Duration spread = release.spec().waits().spread();
        if (openFor.compareTo(spread) < 0) {
            waiting.add("callers to get to know of it: " + word(openFor) + " of " + DurationWord.of(spread));
        }
    }

    private Next admitting(ChannelPhase.Admitting admitting, @Nullable Verdict verdict) {
        if (verdict == null) {
            return stay(release.phase());
        }
        if (verdict.health() == Health.BREACH) {
            // Only green is left to be let in, and there is no way back.
            return pauseByGuard(admitting, verdict.describe());
        }
        Stage stage = release.stages(admitting.side()).get(admitting.stage());
        ChannelPhase.Admitting held = new ChannelPhase.Admitting(
                admitting.side(), admitting.stage(), admitting.held().plus(sight.watched()));
        if (held.held().compareTo(stage.hold()) < 0) {
            waiting.add("the stage: " + word(held.held()) + " of " + DurationWord.of(stage.hold()));
            return stay(held);
        }
        if (verdict.health() == Health.HEALTHY) {
            waiting.addAll(sight.fleet().refusing());
            Next next = onIfNothingIsMissing();
            return next.release().equals(release) ? stay(held) : next;
        }
        Policy policy = release.plan().policy();
        boolean mayAbort = held.side() == Color.BLUE;
        Policy.OnHold onHold =
                policy.onHold() == Policy.OnHold.ABORT && !mayAbort ? Policy.OnHold.PAUSE : policy.onHold();
        return onHold(held, held.held().minus(stage.hold()), policy.holdLimit(), onHold, verdict);
    }

    /** @param beyond for how long it has been on hold */
    private Next onHold(ChannelPhase held, Duration beyond, Duration limit, Policy.OnHold onHold, Verdict verdict) {
        waiting.add("a healthy verdict: " + verdict.describe());
        if (beyond.compareTo(limit) < 0) {
            return stay(held);
        }
        String why = "on hold for " + DurationWord.of(limit) + ": " + verdict.describe();
        return switch (onHold) {
            case PAUSE -> pauseByGuard(held, why);
            case ABORT -> takeBack(why);
            case WAIT -> stay(held);
        };
    }

    /** The stage before was healthy when it was left, so its weight is the last safe one. See decision 0011. */
    private Next afterBreach(Verdict verdict) {
        BatchGuard guard = release.batchGuard();
        if (guard != null) {
            return guard.onBreach() == BatchGuard.OnBreach.ABORT
                    ? takeBack(verdict.describe())
                    : pauseByGuard(release.phase(), verdict.describe());
        }
        Policy policy = release.plan().policy();
        boolean stepsBack = release.phase().at() instanceof ChannelPhase.Admitting admitting
                && admitting.stage() > 0
                && policy.onBreach() == Policy.OnBreach.STEP_BACK
                && release.stepBacks() < policy.mostStepBacks();
        return stepsBack ? stepBack(verdict.describe()) : takeBack(verdict.describe());
    }

    private Next stepBack(String why) {
        WayBack wayBack = release.wayBack(sight.fleet());
        if (!wayBack.isOpen()) {
            return stuck(why, wayBack);
        }
        ChannelPhase.Admitting admitting =
                (ChannelPhase.Admitting) release.phase().at();
        ChannelPhase before = new ChannelPhase.Admitting(Color.BLUE, admitting.stage() - 1, Duration.ZERO);
        ChannelRelease after = release.with(
                new ChannelPhase.Paused(before, why), release.roster(), release.scaled(), release.stepBacks() + 1);
        return new Next(after, waiting, JournalEntry.GUARD, "step-back", why);
    }

    private Next takeBack(String why) {
        WayBack wayBack = release.wayBack(sight.fleet());
        return wayBack.isOpen()
                ? new Next(release.with(new Path(release).back(why)), waiting, JournalEntry.GUARD, "abort", why)
                : stuck(why, wayBack);
    }

    /** Where there is no way back, a human has to find one; as soon as there is one, the guard takes it. */
    private Next stuck(String why, WayBack wayBack) {
        waiting.add("a way back, since " + why + ": " + wayBack.why());
        return release.isPaused()
                ? stay(release.phase())
                : pauseByGuard(release.phase(), why + "; " + wayBack.refusal());
    }

    private Next batch(Batch batch) {
        Duration taken = batch.taken().plus(sight.watched());
        List<Fleet.Need> needs = release.batches().needs(batch, sight.fleet());
        return switch (batch.part()) {
            case DRAINING -> {
                waiting.addAll(sight.unaware());
                waiting.addAll(sight.stirring());
                yield onIfNothingIsMissing();
            }
            case DEPLOYING ->
                work(
                        needs,
                        taken,
                        part(batch, batch.attempt(), taken),
                        part(batch, batch.attempt(), Duration.ZERO),
                        part(batch, batch.attempt() + 1, Duration.ZERO));
            case VERIFYING -> checked(batch);
            case OPENING -> {
                waiting.addAll(sight.fleet().absent(needs));
                waiting.addAll(sight.unaware());
                if (!waiting.isEmpty()) {
                    yield stay(wrapped(part(batch, batch.attempt(), Duration.ZERO)));
                }
                waitForSpread(taken);
                yield waiting.isEmpty() ? on() : stay(wrapped(part(batch, batch.attempt(), taken)));
            }
            case HOLDING -> holding(part(batch, batch.attempt(), taken));
        };
    }

    private Next holding(Batch held) {
        Duration between = ((Strategy.Rolling) release.spec().strategy()).between();
        BatchGuard guard = release.batchGuard();
        Verdict verdict = sight.verdict();
        if (held.taken().compareTo(between) < 0) {
            waiting.add("the batch: " + word(held.taken()) + " of " + DurationWord.of(between));
            return stay(held);
        }
        if (guard != null) {
            if (verdict == null) {
                waiting.add("a verdict");
                return stay(held);
            }
            if (verdict.health() != Health.HEALTHY) {
                return onHold(held, held.taken().minus(between), guard.holdLimit(), guard.onHold(), verdict);
            }
            waiting.addAll(sight.fleet().refusing());
        }
        Next next = onIfNothingIsMissing();
        return next.release().equals(release) ? stay(held) : next;
    }

    private static Batch part(Batch batch, int attempt, Duration taken) {
        return new Batch(batch.index(), batch.instances(), batch.part(), attempt, taken);
    }

    /** What waits for the release's check, or for a human. */
    private Next checked(ChannelPhase at) {
        if (!release.isChecked()) {
            return stay(release.phase());
        }
        Verification.Answer answer = sight.answer();
        if (release.spec().check().isManual()) {
            waiting.add(
                    at instanceof ChannelPhase.Confirming
                            ? "promote, to deploy green: from then on there is no way back"
                            : "promote, when " + at.words().replace("verifying ", "") + " is found well");
        } else if (answer == null || !answer.ok()) {
            waiting.add("the check to succeed: " + (answer == null ? "not asked yet" : answer.detail()));
        }
        return onIfNothingIsMissing();
    }

    private Next onIfNothingIsMissing() {
        return waiting.isEmpty() ? on() : stay(release.phase());
    }

    /** On to the next phase, unless somebody is missing who would have to carry the traffic there. */
    private Next on() {
        ChannelPhase next = new Path(release).next();
        waiting.addAll(release.obstacles(next, sight.fleet()));
        if (!waiting.isEmpty()) {
            return stay(release.phase());
        }
        String action = next instanceof ChannelPhase.Completed ? "complete" : "advance";
        Verdict verdict = sight.verdict();
        // Before a batch is held, its guard only watches.
        boolean isWatchedOnly = release.phase().at() instanceof Batch batch && batch.part() != Batch.Part.HOLDING;
        String why = verdict == null || isWatchedOnly ? "" : verdict.describe();
        return new Next(release.with(next), waiting, JournalEntry.ORCHESTRATOR, action, why);
    }

    private Next stay(ChannelPhase same) {
        return new Next(release.with(same), waiting, JournalEntry.ORCHESTRATOR, "", "");
    }

    private Next pause(ChannelPhase inner, String why) {
        return new Next(
                release.with(new ChannelPhase.Paused(inner, why)), waiting, JournalEntry.ORCHESTRATOR, "pause", why);
    }

    private Next pauseByGuard(ChannelPhase inner, String why) {
        return new Next(release.with(new ChannelPhase.Paused(inner, why)), waiting, JournalEntry.GUARD, "pause", why);
    }

    private ChannelPhase wrapped(ChannelPhase inner) {
        return release.phase() instanceof ChannelPhase.Restoring restoring
                ? new ChannelPhase.Restoring(inner, restoring.why())
                : inner;
    }

    /** Whole seconds, so that what is waited for reads the same for a second. */
    private static String word(Duration duration) {
        return DurationWord.of(Duration.ofSeconds(duration.toSeconds()));
    }
}
