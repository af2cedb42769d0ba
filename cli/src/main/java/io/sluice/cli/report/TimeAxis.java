package io.sluice.cli.report;

import java.util.ArrayList;
import java.util.List;

/**
 * An axis of time from 0 on, with ticks at whole steps of one unit.
 *
 * @param seconds how long it is, more than 0
 * @param step between two ticks, in seconds
 * @param unit what a tick counts, in seconds
 * @param unitName in the plural
 */
record TimeAxis(double seconds, double step, double unit, String unitName) {
    private static final double MINUTE = 60;
    private static final double HOUR = 3600;
    private static final double DAY = 86_400;
    private static final double[] STEPS = {
        0.1,
        0.2,
        0.5,
        1,
        2,
        5,
        10,
        20,
        MINUTE / 2,
        MINUTE,
        2 * MINUTE,
        5 * MINUTE,
        10 * MINUTE,
        20 * MINUTE,
        HOUR / 2,
        HOUR,
        2 * HOUR,
        4 * HOUR,
        6 * HOUR,
        12 * HOUR,
        DAY,
        2 * DAY,
        5 * DAY,
        10 * DAY,
        30 * DAY,
        100 * DAY,
        365 * DAY
    };

    /** One of that length with at most so many ticks after the first. */
    static TimeAxis of(double length, int most) {
        double seconds = Math.max(length, 0.1);
        for (double step : STEPS) {
            if (seconds / step <= most) {
                return of(seconds, step);
            }
        }
        return of(seconds, Math.ceil(seconds / DAY / most) * DAY);
    }

    private static TimeAxis of(double seconds, double step) {
        if (seconds < 3 * MINUTE) {
            return new TimeAxis(seconds, step, 1, "seconds");
        }
        if (seconds < 3 * HOUR) {
            return new TimeAxis(seconds, step, MINUTE, "minutes");
        }
        return seconds < 3 * DAY
                ? new TimeAxis(seconds, step, HOUR, "hours")
                : new TimeAxis(seconds, step, DAY, "days");
    }

    double part(double at) {
        return Math.min(1, at / seconds);
    }

    List<Plot.Tick> ticks() {
        List<Plot.Tick> ticks = new ArrayList<>();
        for (int i = 0; i * step <= seconds; i++) {
            ticks.add(new Plot.Tick(i * step, Words.coordinate(i * step / unit)));
        }
        return ticks;
    }
}
