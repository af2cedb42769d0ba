package io.sluice.bench;

import io.sluice.bench.Followers.Arrival;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;

/**
 * How long changes took to arrive.
 *
 * @param each from the answer to each source: what was there before the answer took no time
 * @param all from the answer to the last source of each change
 * @param whole from before the command to each source, so with the time that the command itself took
 */
record Timings(int changes, long[] each, long[] all, long[] whole) {
    static final String HEADER = String.format(
            Locale.ROOT,
            "| %-30s | changes | p50 ms | p99 ms | most ms | last source, p50 ms | with the command, p99 ms | goal ms |%n"
                    + "| --- | --- | --- | --- | --- | --- | --- | --- |",
            "from answered to applied");

    static Timings of(List<Arrival> arrivals) {
        return new Timings(
                arrivals.size(),
                sorted(arrivals.stream().flatMapToLong(arrival -> since(arrival.answered(), arrival))),
                sorted(arrivals.stream()
                        .mapToLong(arrival ->
                                since(arrival.answered(), arrival).max().orElse(0))),
                sorted(arrivals.stream().flatMapToLong(arrival -> since(arrival.given(), arrival))));
    }

    private static LongStream since(long nanos, Arrival arrival) {
        return Arrays.stream(arrival.at()).map(at -> Math.max(0, at - nanos));
    }

    private static long[] sorted(LongStream nanos) {
        return nanos.sorted().toArray();
    }

    /** 99 of 100 sources and changes took no longer. */
    Duration p99() {
        return Duration.ofNanos(quantile(each, 0.99));
    }

    Duration most() {
        return Duration.ofNanos(quantile(each, 1));
    }

    String row(String name, Duration goal) {
        return String.format(
                Locale.ROOT,
                "| %-30s | %d | %.1f | %.1f | %.1f | %.1f | %.1f | %d |",
                name,
                changes,
                quantile(each, 0.5) / 1e6,
                quantile(each, 0.99) / 1e6,
                quantile(each, 1) / 1e6,
                quantile(all, 0.5) / 1e6,
                quantile(whole, 0.99) / 1e6,
                goal.toMillis());
    }

    private static long quantile(long[] sorted, double q) {
        return sorted[Math.max(0, (int) Math.ceil(q * sorted.length) - 1)];
    }
}
