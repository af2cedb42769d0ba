package io.sluice.server.metrics;

import io.sluice.core.release.MetricSource;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The metric source that the flags ask for. */
@Configuration(proxyBeanMethods = false)
class MetricsSetup {
    /** What a metric comes to without a source. */
    static final String NO_SOURCE = "no metric source is configured: start the server with --prometheus URL";

    @Bean
    MetricSource metricSource(
            @Value("${sluice.prometheus.url:}") String url,
            @Value("${sluice.prometheus.token:}") String token,
            @Value("${sluice.metrics-every:PT5S}") Duration every,
            JdbcClient jdbc,
            InstantSource clock) {
        return url.isEmpty()
                ? noSource()
                : new PrometheusSource(
                        new PrometheusSettings(URI.create(url), token, every),
                        new CountingStore(jdbc),
                        clock,
                        System::nanoTime);
    }

    static MetricSource noSource() {
        return release -> release.spec().plan().metrics().stream()
                .map(metric -> new Findings(metric).hold(NO_SOURCE))
                .toList();
    }
}
