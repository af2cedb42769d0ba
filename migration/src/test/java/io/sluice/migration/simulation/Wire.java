package io.sluice.migration.simulation;

import io.sluice.migration.branch.Grant;
import io.sluice.migration.branch.NothingHappenedException;
import io.sluice.migration.branch.Outcome;
import io.sluice.migration.branch.UnknownOutcomeException;
import io.sluice.migration.branch.Versioned;
import io.sluice.migration.plan.Side;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The way from a router to a side: a side may be down, a request may arrive long after its caller gave up, an answer may
 * get lost.
 */
final class Wire implements Stock {
    private static final Duration LIMIT = Duration.ofSeconds(1);
    private static final int LATEST_MILLIS = 15_000;

    private final Schedule schedule;
    private final Planted planted;
    private final Side side;
    private final Stock there;
    private final Stock unfencedOther;
    private long downUntil;
    private int underWay;

    /** @param unfencedOther the other side without a fence, for a bug that goes there */
    Wire(Schedule schedule, Planted planted, Side side, Stock there, Stock unfencedOther) {
        this.schedule = schedule;
        this.planted = planted;
        this.side = side;
        this.there = there;
        this.unfencedOther = unfencedOther;
    }

    /** From now on nobody gets through for that long. */
    void down(Duration time) {
        schedule.note(() -> side.label() + " is down for " + time.toMillis() + " ms");
        schedule.count(side.label() + " down");
        downUntil = schedule.nanos() + time.toNanos();
    }

    /** Whether no request is on its way any more. */
    boolean isQuiet() {
        return underWay == 0;
    }

    @Override
    public Row.Answer reserve(Grant grant, String operationId, int quantity) {
        return write(operationId, () -> there.reserve(grant, operationId, quantity));
    }

    @Override
    public Row.Answer release(Grant grant, String operationId, String reservation) {
        if (planted == Planted.RELEASE_ON_BOTH_SIDES) {
            try {
                Grant other = Grant.of(grant.key(), side.other(), grant.epoch());
                return unfencedOther.release(other, operationId, reservation);
            } catch (Refused tryThisSide) {
                // As whoever wrote such a thing would.
            }
        }
        return write(operationId, () -> there.release(grant, operationId, reservation));
    }

    @Override
    public Outcome outcome(Grant grant, String operationId) {
        return write(operationId, () -> there.outcome(grant, operationId));
    }

    @Override
    public Optional<String> keyOf(String operationId) {
        reach();
        return there.keyOf(operationId);
    }

    @Override
    public Versioned<Integer> available(Grant grant) {
        reach();
        return there.available(grant);
    }

    private void reach() {
        schedule.step("calls " + side.label());
        if (schedule.nanos() < downUntil || schedule.strikes(schedule.faults().refused())) {
            schedule.count(side.label() + " refuses a connection");
            throw new NothingHappenedException(side.label() + " is not there", null);
        }
    }

    private <R> R write(String operationId, Supplier<R> request) {
        try {
            return attempt(operationId, request);
        } catch (UnknownOutcomeException | IllegalStateException unknown) {
            if (planted == Planted.FALLBACK_ON_UNKNOWN && side == Side.NEW) {
                throw new NothingHappenedException("timed out", unknown);
            }
            throw unknown;
        }
    }

    private <R> R attempt(String operationId, Supplier<R> request) {
        reach();
        if (schedule.strikes(schedule.faults().late())) {
            return late(operationId, request);
        }
        boolean isLost = schedule.strikes(schedule.faults().answerLost());
        try {
            R answer = request.get();
            if (!isLost) {
                return answer;
            }
        } catch (NothingHappenedException | Refused told) {
            if (!isLost) {
                throw told;
            }
        }
        schedule.count("answer lost");
        schedule.note(() -> "the answer to " + operationId + " is lost");
        schedule.sleep(LIMIT);
        if (schedule.random().nextBoolean()) {
            throw new UnknownOutcomeException(operationId, null);
        }
        throw new IllegalStateException("what a client throws that nobody has translated");
    }

    private <R> R late(String operationId, Supplier<R> request) {
        Reply<R> reply = new Reply<>();
        Duration delay = Duration.ofMillis(schedule.random().nextInt(LATEST_MILLIS));
        schedule.note(() -> operationId + " takes " + delay.toMillis() + " ms to arrive");
        schedule.count("request late");
        underWay++;
        schedule.later(
                delay,
                () -> schedule.spawn("late " + operationId, null, () -> {
                    try {
                        reply.answer = request.get();
                    } catch (RuntimeException failure) {
                        reply.failure = failure;
                    } finally {
                        underWay--;
                    }
                }));
        schedule.await(() -> reply.answer != null || reply.failure != null, LIMIT);
        if (reply.failure != null) {
            throw reply.failure;
        }
        if (reply.answer != null) {
            return reply.answer;
        }
        throw new UnknownOutcomeException(operationId, null);
    }

    private static final class Reply<R> {
        @Nullable
        R answer;

        @Nullable
        RuntimeException failure;
    }
}
