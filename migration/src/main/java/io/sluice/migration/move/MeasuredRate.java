package io.sluice.migration.move;

import java.util.concurrent.TimeUnit;

/** How many a second, over the last ten seconds or for as long as there was something. Used under its owner's lock. */
final class MeasuredRate {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int WINDOW = 10;

    private final long origin;
    /** By second modulo their number, one more than the window so that the running one is not mixed with the oldest. */
    private final long[] counts = new long[WINDOW + 1];

    private long latest;
    private long first = -1;

    MeasuredRate(long now) {
        this.origin = now;
    }

    void add(long now) {
        advance(now);
        if (first < 0) {
            first = latest;
        }
        counts[(int) (latest % counts.length)]++;
    }

    double perSecond(long now) {
        advance(now);
        if (first < 0) {
            return 0;
        }
        long sum = 0;
        for (long count : counts) {
            sum += count;
        }
        double running = (double) ((now - origin) % SECOND) / SECOND;
        double over = Math.min(latest - first, WINDOW) + running;
        return sum / Math.max(over, 1);
    }

    private void advance(long now) {
        long second = (now - origin) / SECOND;
        for (long each = Math.max(latest + 1, second - WINDOW); each <= second; each++) {
            counts[(int) (each % counts.length)] = 0;
        }
        latest = Math.max(latest, second);
    }
}
