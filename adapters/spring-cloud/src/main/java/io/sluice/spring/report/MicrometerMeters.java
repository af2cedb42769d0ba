package io.sluice.spring.report;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter.MeterProvider;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.sluice.core.decision.Lane;
import io.sluice.core.routing.Rung;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * The meters {@code sluice.requests} (timer by service, lane, outcome), {@code sluice.routing} (counter by service
 * called, rung) {@code sluice.crossed} (counter by service) and {@code sluice.claims.ignored} (counter by reason).
 */
final class MicrometerMeters implements SluiceMeters {
    private final MeterProvider<Timer> requests;
    private final MeterProvider<Counter> routing;
    private final Counter crossed;
    private final MeterProvider<Counter> ignored;

    MicrometerMeters(MeterRegistry registry, String service) {
        this.requests = Timer.builder("sluice.requests")
                .description("Requests served, by the lane they count on")
                .tag("service", service)
                .withRegistry(registry);
        this.routing = Counter.builder("sluice.routing")
                .description("Choices of instances, by the rung of the fallback ladder")
                .withRegistry(registry);
        this.crossed = Counter.builder("sluice.crossed")
                .description("Requests that came with the other color of this channel")
                .tag("service", service)
                .register(registry);
        this.ignored = Counter.builder("sluice.claims.ignored")
                .description("Claims of a lane that were not believed")
                .withRegistry(registry);
    }

    @Override
    public void requestEnded(Lane lane, long latencyNanos, boolean failed) {
        requests.withTags("lane", word(lane), "outcome", failed ? "failed" : "ok")
                .record(latencyNanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void routed(String service, Rung rung) {
        routing.withTags("service", service, "rung", word(rung)).increment();
    }

    @Override
    public void crossed() {
        crossed.increment();
    }

    @Override
    public void ignored(Claim claim) {
        ignored.withTags("reason", word(claim)).increment();
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
