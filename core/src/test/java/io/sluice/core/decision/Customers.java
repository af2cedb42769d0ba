package io.sluice.core.decision;

import java.util.Arrays;
import java.util.stream.IntStream;

/** The customers that the published figures are about. */
final class Customers {
    private Customers() {}

    /** {@code c-0000000}, {@code c-0000001} and so on. */
    static String[] numbered(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "c-" + Integer.toString(10_000_000 + i).substring(1))
                .toArray(String[]::new);
    }

    /** How many of them a percentage sends to canary. */
    static long onCanary(Bucketing bucketing, Percent percent, String[] customers) {
        return Arrays.stream(customers)
                .filter(customer -> percent.covers(bucketing.bucket(customer)))
                .count();
    }
}
