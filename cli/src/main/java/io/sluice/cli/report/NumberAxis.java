package io.sluice.cli.report;

import java.util.ArrayList;
import java.util.List;

/** An axis of plain numbers with two to five round steps. */
record NumberAxis(double low, double high, double step) {
    private static final double[] ROUND = {1, 2, 2.5, 5, 10};

    /** One from 0, or from a value below, up to at least the largest. */
    static NumberAxis of(double least, double most) {
        double from = Math.min(0, least);
        double to = Math.max(most, from);
        double raw = to > from ? (to - from) / 4 : 0.25;
        double power = Math.pow(10, Math.floor(Math.log10(raw)));
        double step = 10 * power;
        for (double each : ROUND) {
            if (each * power >= raw) {
                step = each * power;
                break;
            }
        }
        double low = Math.floor(from / step) * step;
        // Some room above the largest, which may be a limit with words on it.
        return new NumberAxis(low, (Math.floor(to / step) + 1) * step, step);
    }

    double part(double value) {
        return Math.min(1, Math.max(0, (value - low) / (high - low)));
    }

    List<Plot.Tick> ticks() {
        List<Plot.Tick> ticks = new ArrayList<>();
        for (int i = 0; i <= Math.round((high - low) / step); i++) {
            ticks.add(new Plot.Tick(low + i * step, Words.rounded(low + i * step)));
        }
        return ticks;
    }
}
