package io.sluice.core.channel;

import io.sluice.core.channel.ChannelPhase.Admitting;
import io.sluice.core.channel.ChannelPhase.Deploying;
import io.sluice.core.channel.ChannelPhase.Draining;
import io.sluice.core.channel.ChannelPhase.Opening;
import io.sluice.core.channel.ChannelPhase.Restoring;
import io.sluice.core.channel.ChannelPhase.Returned;
import io.sluice.core.channel.ChannelPhase.Verifying;
import io.sluice.core.release.Command;
import io.sluice.core.tag.Color;
import java.time.Duration;
import java.util.function.Consumer;

/** A bug that is put into a world on purpose, between the orchestrator and its ports, to see that it is found. */
enum Planted {
    NOTHING("none"),
    /** A side counts as silent whatever it serves. */
    DEPLOY_BEFORE_SILENT("stopped under a request") {
        @Override
        Workload seen(Workload workload) {
            return with(workload, workload.ready(), workload.registered(), 0, 0, workload.revision());
        }

        @Override
        ChannelRelease saved(ChannelRelease before, ChannelRelease next) {
            return next.phase() instanceof Draining draining
                    ? moved(before, next, new Deploying(draining.side(), 1, Duration.ZERO))
                    : next;
        }
    },
    /** Everybody counts as knowing the rules. */
    NO_WAIT_FOR_ACKS("nobody there") {
        @Override
        Workload seen(Workload workload) {
            return with(
                    workload,
                    workload.ready(),
                    workload.registered(),
                    workload.requests(),
                    workload.underWay(),
                    Long.MAX_VALUE);
        }
    },
    /** A side that may register again gets its first share before callers know of it. */
    OPENING_SKIPPED("nobody there") {
        @Override
        ChannelRelease saved(ChannelRelease before, ChannelRelease next) {
            return next.phase() instanceof Opening opening
                    ? moved(before, next, new Admitting(opening.side(), 0, Duration.ZERO))
                    : next;
        }
    },
    /** Green's deployment can be called off, and traffic goes to what is no side any more. */
    ABORT_AFTER_NO_RETURN("abort after the point of no return") {
        @Override
        void commanded(Command command, ChannelRelease before, Consumer<ChannelRelease> force) {
            if (command == Command.ABORT
                    && before.isPastNoReturn()
                    && !before.phase().isOver()) {
                force.accept(before.with(new Returned("")));
            }
        }
    },
    /** A drained side leaves its registry at once. */
    CLOSED_WHILE_IN_FLIGHT("nobody there") {
        @Override
        ChannelRelease saved(ChannelRelease before, ChannelRelease next) {
            return next.phase() instanceof Draining draining && !draining.leaving()
                    ? moved(before, next, new Draining(draining.side(), true))
                    : next;
        }
    },
    /** A deployed side gets its first share before anybody has seen that it is there. */
    WEIGHT_BEFORE_READY("weight before ready") {
        @Override
        ChannelRelease saved(ChannelRelease before, ChannelRelease next) {
            return next.phase() instanceof Verifying verifying
                    ? moved(before, next, new Admitting(verifying.side(), 0, Duration.ZERO))
                    : next;
        }
    },
    /** Whoever saves last is right. */
    NO_COMPARE_AND_SET("phases skip"),
    /** Blue goes into the traffic again with the new version. */
    RESTORING_SKIPS_DEPLOYING("versions mix") {
        @Override
        ChannelRelease saved(ChannelRelease before, ChannelRelease next) {
            return next.phase() instanceof Restoring restoring && restoring.inner() instanceof Deploying
                    ? moved(before, next, new ChannelPhase.Aborted(restoring.why()))
                    : next;
        }
    },
    /** Verifying is passed over. */
    VERIFYING_SKIPPED("phases skip") {
        @Override
        ChannelRelease saved(ChannelRelease before, ChannelRelease next) {
            return next.phase() instanceof Verifying verifying
                    ? moved(before, next, new Opening(verifying.side(), Duration.ZERO))
                    : next;
        }
    },
    /** An order has another key each time that it is given. */
    KEY_OF_THE_MOMENT("two at work for one order") {
        @Override
        String key(String key, int now) {
            return key + "#" + now / 3;
        }
    },
    /** After an abort the ramp goes on. */
    FORWARD_AFTER_ABORT("blue after an abort") {
        @Override
        ChannelRelease saved(ChannelRelease before, ChannelRelease next) {
            return next.phase() instanceof Restoring restoring && restoring.inner() instanceof Opening
                    ? moved(before, next, new Admitting(Color.BLUE, 1, Duration.ZERO))
                    : next;
        }
    };

    private final String found;

    Planted(String found) {
        this.found = found;
    }

    /** How the violation begins that finds it. */
    String found() {
        return found;
    }

    /** What the orchestrator sees of a process. */
    Workload seen(Workload workload) {
        return workload;
    }

    /** What is saved in place of the next state. */
    ChannelRelease saved(ChannelRelease before, ChannelRelease next) {
        return next;
    }

    /** What happens after a command, refused or not. */
    void commanded(Command command, ChannelRelease before, Consumer<ChannelRelease> force) {}

    /** The key under which the deployer gets an order. */
    String key(String key, int now) {
        return key;
    }

    /** Whether the order of phases is checked: not where a bug breaks it in passing, and its harm is to be found. */
    boolean checksOrder() {
        return this == NOTHING || this == NO_COMPARE_AND_SET || this == VERIFYING_SKIPPED;
    }

    private static ChannelRelease moved(ChannelRelease before, ChannelRelease next, ChannelPhase phase) {
        ChannelRelease from = new ChannelRelease(
                next.spec(), before.phase(), next.roster(), next.scaled(), before.step(), next.revision() - 1);
        return from.with(phase, next.roster(), next.scaled(), next.stepBacks());
    }

    private static Workload with(
            Workload of, boolean ready, boolean registered, long requests, long underWay, long revision) {
        return new Workload(
                of.service(),
                of.instance(),
                of.color(),
                of.version(),
                ready,
                registered,
                requests,
                underWay,
                of.crossed(),
                of.epoch(),
                revision,
                of.refusal(),
                of.unheard());
    }
}
