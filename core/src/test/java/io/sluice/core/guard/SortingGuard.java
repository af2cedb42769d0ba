package io.sluice.core.guard;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** The guard as it was first published, translated line by line: it keeps every request and sorts them. */
final class SortingGuard {
    record Observation(Duration latency, boolean failed) {}

    record Verdict(boolean abort, String reason, int samples, double errorRate, Duration p99) {}

    private final int minSamples;
    private final double maxErrorRate;
    private final Duration maxP99;
    private final List<Observation> samples = new ArrayList<>();

    SortingGuard(int minSamples, double maxErrorRate, Duration maxP99) {
        this.minSamples = minSamples;
        this.maxErrorRate = maxErrorRate;
        this.maxP99 = maxP99;
    }

    void record(Observation observation) {
        samples.add(observation);
    }

    Verdict evaluate() {
        if (samples.size() < minSamples) {
            return new Verdict(false, "insufficient_samples", samples.size(), 0, Duration.ZERO);
        }
        int failures = 0;
        List<Duration> latencies = new ArrayList<>();
        for (Observation observation : samples) {
            if (observation.failed) {
                failures++;
            }
            latencies.add(observation.latency);
        }
        double errorRate = (double) failures / samples.size();
        Collections.sort(latencies);
        Duration p99 = latencies.get((latencies.size() * 99 + 99) / 100 - 1);
        if (errorRate > maxErrorRate) {
            String reason = String.format(Locale.ROOT, "error_rate=%.4f>%.4f", errorRate, maxErrorRate);
            return new Verdict(true, reason, samples.size(), errorRate, p99);
        }
        if (p99.compareTo(maxP99) > 0) {
            return new Verdict(true, "p99", samples.size(), errorRate, p99);
        }
        return new Verdict(false, "healthy", samples.size(), errorRate, p99);
    }
}
