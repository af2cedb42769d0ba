package io.sluice.migration.move;

import io.sluice.core.problem.Problems;
import io.sluice.migration.owner.KeyCopy;
import io.sluice.migration.owner.Owned;
import io.sluice.migration.owner.Owners;
import io.sluice.migration.plan.Plan;
import io.sluice.migration.plan.Side;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Moves one key at a time: freeze, drain, hand over. Keeps nothing between calls, so any number of movers in any number
 * of processes may work on the same key; it moves once.
 *
 * <p>A key does not stay frozen because of an error. When the drain's limit is over, or a step fails, the mover releases
 * it and writes go on where they were; only {@link #finish} leaves it frozen at the end of its time, since whoever began
 * that move may still be at work. A crash leaves it frozen, and the next mover or writer that meets it finishes the move.
 *
 * <p>Safe for use by many threads; blocks.
 *
 * @param <T> the transaction
 */
public final class Mover<T> implements HandBack {
    /** What a move waits for writes that began before, unless told otherwise. */
    public static final Duration DRAIN_LIMIT = Duration.ofSeconds(2);

    /** How often a hand-back begins again because somebody else has moved the key meanwhile. */
    private static final int MOST_HAND_BACKS = 5;

    private final Owners<T> owners;
    private final KeyCopy<T> copy;
    private final Duration drainLimit;
    private final MoveListener listener;
    private final LongSupplier nanos;

    public Mover(Owners<T> owners, KeyCopy<T> copy) {
        this(owners, copy, DRAIN_LIMIT, MoveListener.NONE, System::nanoTime);
    }

    /**
     * @param drainLimit what {@link #move} waits for writes that began before; writers of the key wait as long, so keep
     *     it below their deadlines. More than 0, at most an hour
     * @param nanos a clock that never goes back, in nanoseconds
     * @throws io.sluice.core.problem.RefusedException for a limit out of range
     */
    public Mover(Owners<T> owners, KeyCopy<T> copy, Duration drainLimit, MoveListener listener, LongSupplier nanos) {
        Problems problems = new Problems();
        problems.require(
                !drainLimit.isNegative() && !drainLimit.isZero() && drainLimit.compareTo(Duration.ofHours(1)) <= 0,
                "drainLimit",
                drainLimit,
                "must be more than 0 and at most an hour");
        problems.throwIfAny();
        this.owners = owners;
        this.copy = copy;
        this.drainLimit = drainLimit;
        this.listener = listener;
        this.nanos = nanos;
    }

    /**
     * Moves a key, or finishes a move of it to the same side that somebody else began.
     *
     * @param epoch the least epoch that the key gets: that of the plan that wants it there
     * @return what became of it; an exception of the database or the copy is in {@link MoveResult.Failed}
     */
    public MoveResult move(String key, Side to, long epoch) {
        Move move = new Move(key, to, true);
        return move.fail(() -> {
            Owned frozen = move.freeze(epoch);
            if (!frozen.isFrozen()) {
                return frozen.side() == to ? new MoveResult.AlreadyThere(frozen) : new MoveResult.Overtaken(frozen);
            }
            return frozen.movingTo() == to ? move.complete(frozen, drainLimit) : new MoveResult.Overtaken(frozen);
        });
    }

    @Override
    public Owned toLegacy(Owned owned, Duration within) {
        String key = owned.key();
        long end = nanos.getAsLong() + within.toNanos();
        Owned now = owned;
        for (int i = 0; i < MOST_HAND_BACKS; i++) {
            Duration left = Duration.ofNanos(end - nanos.getAsLong());
            if (left.isNegative() || left.isZero()) {
                return now;
            }
            Move move = new Move(key, Side.LEGACY, true);
            MoveResult result = move.fail(() -> {
                Owned frozen = move.freeze(Plan.handBackEpoch(owned.epoch()));
                if (!frozen.isFrozen()) {
                    return new MoveResult.AlreadyThere(frozen);
                }
                // On its way to new it is legacy's still: giving that move up is all that has to be done.
                return frozen.movingTo() == Side.LEGACY
                        ? move.complete(frozen, left)
                        : new MoveResult.AlreadyThere(move.release(frozen));
            });
            now = nowOf(result);
            if (now.side() == Side.LEGACY && !now.isFrozen()) {
                return now;
            }
        }
        return now;
    }

    @Override
    public Owned finish(Owned frozen, Duration within) {
        Side to = frozen.movingTo();
        if (to == null || within.isNegative() || within.isZero()) {
            return frozen;
        }
        Move move = new Move(frozen.key(), to, false);
        return nowOf(move.fail(() -> move.complete(frozen, within)));
    }

    private static Owned nowOf(MoveResult result) {
        if (result instanceof MoveResult.Failed failed) {
            throw failed.reason();
        }
        if (result instanceof MoveResult.Moved moved) {
            return moved.now();
        }
        if (result instanceof MoveResult.AlreadyThere there) {
            return there.now();
        }
        if (result instanceof MoveResult.Busy busy) {
            return busy.now();
        }
        return ((MoveResult.Overtaken) result).now();
    }

    @FunctionalInterface
    private interface Steps {
        MoveResult take();
    }

    /** One move of one key on its way: where it stands, and what to undo when it fails. */
    private final class Move {
        private final String key;
        private final Side to;
        private final boolean isOurs;
        private MoveStep step = MoveStep.FREEZE;
        private @Nullable Owned frozen;

        /** @param isOurs whether this mover may give the move up because it takes too long */
        Move(String key, Side to, boolean isOurs) {
            this.key = key;
            this.to = to;
            this.isOurs = isOurs;
        }

        MoveResult fail(Steps steps) {
            try {
                return steps.take();
            } catch (RuntimeException reason) {
                MoveStep failed = step;
                if (frozen != null) {
                    return releaseAfter(frozen, failed, reason);
                }
                return new MoveResult.Failed(key, failed, reason);
            }
        }

        Owned freeze(long epoch) {
            before(MoveStep.FREEZE);
            Owned now = owners.freeze(key, to, epoch);
            if (now.isFrozen() && now.movingTo() == to) {
                frozen = now;
            }
            listener.after(step, now);
            return now;
        }

        MoveResult complete(Owned begun, Duration limit) {
            frozen = begun;
            before(MoveStep.DRAIN);
            boolean isDrained = owners.drain(begun, limit);
            listener.after(step, begun);
            if (!isDrained) {
                return new MoveResult.Busy(isOurs ? release(begun) : begun);
            }
            before(MoveStep.HAND_OVER);
            Owned now = owners.handOver(begun, copy);
            listener.after(step, now);
            return now.side() == to && !now.isFrozen() ? new MoveResult.Moved(now) : new MoveResult.Overtaken(now);
        }

        Owned release(Owned begun) {
            before(MoveStep.RELEASE);
            Owned now = owners.release(begun);
            listener.after(step, now);
            return now;
        }

        /** The hand-over may have been committed although it failed: then releasing finds the key moved. */
        private MoveResult releaseAfter(Owned begun, MoveStep failed, RuntimeException reason) {
            try {
                Owned now = failed == MoveStep.RELEASE ? owners.release(begun) : release(begun);
                if (now.side() == to && !now.isFrozen() && now.epoch() == begun.epoch()) {
                    return new MoveResult.Moved(now);
                }
            } catch (RuntimeException stillFrozen) {
                reason.addSuppressed(stillFrozen);
            }
            return new MoveResult.Failed(key, failed, reason);
        }

        private void before(MoveStep next) {
            step = next;
            listener.before(next, key);
        }
    }
}
