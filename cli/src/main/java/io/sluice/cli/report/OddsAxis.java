package io.sluice.cli.report;

import java.util.ArrayList;
import java.util.List;

/**
 * The logarithmic axis of evidence, from one power of ten to another. It ends where nothing is to be seen any more: below
 * lies no evidence at all, and above is far beyond the threshold.
 */
record OddsAxis(int low, int high) {
    private static final int LOWEST = -2;
    private static final int BEYOND = 3;
    private static final int MOST_LABELS = 7;
    private static final String SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

    /** One that shows these values, and the threshold with some room above. @param threshold NaN if there is none */
    static OddsAxis of(List<Double> values, double threshold) {
        double most = values.stream().mapToDouble(each -> each).max().orElse(1);
        boolean hasThreshold = threshold > 0 && Double.isFinite(threshold);
        int wanted = (int) Math.ceil(Math.log10(Math.max(most, 1)));
        if (!hasThreshold) {
            return new OddsAxis(LOWEST, Math.max(1, wanted));
        }
        double decade = Math.log10(threshold);
        int end = Math.min(wanted, (int) Math.ceil(decade) + BEYOND);
        return new OddsAxis(LOWEST, Math.max(end, (int) Math.floor(decade) + 1));
    }

    double part(double value) {
        double decades = value > 0 ? Math.log10(value) : low;
        return (Math.min(high, Math.max(low, decades)) - low) / (high - low);
    }

    List<Plot.Tick> ticks() {
        int step = (high - low) / MOST_LABELS + 1;
        List<Plot.Tick> ticks = new ArrayList<>();
        for (int decade = low; decade <= high; decade += step) {
            ticks.add(new Plot.Tick(Math.pow(10, decade), (decade == low ? "≤ " : "") + words(decade)));
        }
        return ticks;
    }

    private static String words(int decade) {
        if (decade <= 3) {
            return decade < 0
                    ? "0." + "0".repeat(-decade - 1) + "1"
                    : "1" + (decade == 3 ? "," : "") + "0".repeat(decade);
        }
        StringBuilder power = new StringBuilder("10");
        for (char digit : Integer.toString(decade).toCharArray()) {
            power.append(SUPERSCRIPTS.charAt(digit - '0'));
        }
        return power.toString();
    }
}
