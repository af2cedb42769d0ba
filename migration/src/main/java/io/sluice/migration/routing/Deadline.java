package io.sluice.migration.routing;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** Until when a caller waits. A router tries nothing more for a caller that has gone. */
public final class Deadline {
    private final LongSupplier nanos;
    private final long end;
    private final BooleanSupplier hasGone;

    private Deadline(LongSupplier nanos, long end, BooleanSupplier hasGone) {
        this.nanos = nanos;
        this.end = end;
        this.hasGone = hasGone;
    }

    /** From now on, by the system's monotonic clock. A thread that was interrupted has no caller any more either. */
    public static Deadline in(Duration wait) {
        return in(wait, System::nanoTime, () -> Thread.currentThread().isInterrupted());
    }

    /**
     * @param nanos a clock that never goes back, in nanoseconds
     * @param hasGone whether the caller is known to have gone
     */
    public static Deadline in(Duration wait, LongSupplier nanos, BooleanSupplier hasGone) {
        return new Deadline(nanos, nanos.getAsLong() + wait.toNanos(), hasGone);
    }

    /** What is left, zero when it is over. */
    public Duration left() {
        long left = end - nanos.getAsLong();
        return left <= 0 || hasGone.getAsBoolean() ? Duration.ZERO : Duration.ofNanos(left);
    }

    public boolean isOver() {
        return left().isZero();
    }
}
