package io.sluice.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.core.guard.Finding;
import io.sluice.core.guard.Health;
import io.sluice.core.guard.Metric;
import io.sluice.core.release.Release;
import io.sluice.server.LocalServer;
import io.sluice.server.TestDatabase;
import io.sluice.testing.NeedsProgram;
import io.sluice.testing.Requirement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A real Prometheus that looks at a shop. */
@NeedsProgram(value = RealPrometheus.PROGRAM, install = "apt-get install prometheus")
class RealPrometheusTest {
    private static final String LABELS = "{lane=\"{{lane}}\",release=\"{{release}}\"}";
    private static final Metric DECLINED = SampleMetrics.counters(
            "declined", "sum(shop_failures_total" + LABELS + ") # a comment", "sum(shop_requests_total" + LABELS + ")");
    private static final Metric ERROR_RATE = SampleMetrics.limit(
            "error-rate",
            "sum(rate(shop_failures_total{lane=\"{{lane}}\"}[5s])) / sum(rate(shop_requests_total{lane=\"{{lane}}\"}[5s]))",
            0.05);

    @TempDir
    private static Path directory;

    private static ShopTarget shop;
    private static RealPrometheus prometheus;
    private static PrometheusSource source;

    @BeforeAll
    static void start() throws Exception {
        shop = new ShopTarget();
        prometheus = RealPrometheus.watching(shop.url(), directory);
        source = new PrometheusSource(
                new PrometheusSettings(prometheus.url(), "", Duration.ofSeconds(1)),
                new CountingStore(TestDatabase.create().jdbc()),
                InstantSource.system(),
                System::nanoTime);
        await().until(() -> prometheus.isReady());
    }

    @AfterAll
    static void end() throws Exception {
        source.close();
        prometheus.close();
        shop.close();
    }

    @BeforeEach
    void healthy() {
        shop.failOnCanary(0.005);
    }

    @Test
    @Requirement({"B6", "B7", "B8", "F26"})
    void canaryIsComparedThroughAllThatHappens() throws Exception {
        Release release = SampleMetrics.started("real", DECLINED);

        Finding healthy = found(release, finding -> finding.health() == Health.HEALTHY);
        assertThat(healthy.counts().stable()).isPositive();

        restartUntilSeen(release);
        found(release, finding -> finding.health() == Health.HEALTHY);

        shop.disappear();
        found(
                release,
                finding -> finding.health() == Health.HOLD
                        && finding.reason()
                                .contains("got an empty result for canary_total from sum(shop_requests_total"));
        shop.appear();
        found(release, finding -> finding.health() == Health.HEALTHY);

        shop.failOnCanary(0.2);
        Finding worse = found(release, finding -> finding.health() == Health.BREACH);
        assertThat(worse.reason()).startsWith("declined x").contains(" of stable, evidence ");
        assertThat(worse.value()).isGreaterThan(worse.limit());
    }

    @Test
    @Requirement({"B2", "B8"})
    void anErrorRateIsHeldAgainstItsLimit() {
        Release release = SampleMetrics.started("limited", ERROR_RATE);
        Finding healthy = found(release, finding -> finding.health() == Health.HEALTHY);
        assertThat(healthy.value()).isLessThan(0.05);

        shop.failOnCanary(0.2);

        Finding breach = found(release, finding -> finding.health() == Health.BREACH);
        assertThat(breach.reason()).startsWith("error-rate=0.").endsWith(">0.05");
    }

    @Test
    @Requirement("B8")
    void theDocumentedQueriesAskForOurOwnMeters() throws Exception {
        String document = Files.readString(Path.of("../docs/prometheus.md"));
        String json = document.substring(document.indexOf("```json") + 7, document.indexOf("```\n\nThese ask"));
        Metric[] metrics = new JsonMapper()
                .readTree(json)
                .path("metrics")
                .valueStream()
                .map(RealPrometheusTest::metric)
                .toArray(Metric[]::new);
        Release release = SampleMetrics.started("documented", metrics);

        await().untilAsserted(() -> assertThat(source.of(release))
                .hasSize(4)
                .allSatisfy(finding ->
                        assertThat(finding.health()).as(finding.toString()).isEqualTo(Health.HEALTHY)));
        assertThat(source.of(release).get(3).value()).isBetween(0.001, 0.02);

        shop.failOnCanary(0.2);

        await().untilAsserted(() ->
                assertThat(source.of(release)).extracting(Finding::health).containsOnly(Health.BREACH));
    }

    private static Metric metric(JsonNode node) {
        String name = node.path("name").asString();
        return node.has("query")
                ? SampleMetrics.limit(
                        name, node.path("query").asString(), node.path("max").asDouble())
                : SampleMetrics.counters(
                        name, node.path("bad").asString(), node.path("total").asString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 + 1|error-rate=2>0.05",
                "vector(0)|error-rate=0<=0.05",
                "0 / 0|got NaN from 0 / 0",
                "1 / 0|got Infinity from 1 / 0",
                "shop_requests_total|got 2 series in place of one from shop_requests_total",
                "shop_requests_total[5s]|got a result of type matrix from shop_requests_total[5s]",
                "\"text\"|got a result of type string from \"text\"",
                "nothing_of_that_name|got an empty result from nothing_of_that_name",
                "sum(|got HTTP 400: invalid parameter \"query\": 1:5: parse error: unclosed left parenthesis from sum("
            })
    @Requirement("F26")
    void whatARealOneAnswersIsRead(String query, String reason) {
        Release release =
                SampleMetrics.started(LocalServer.name("asked"), SampleMetrics.limit("error-rate", query, 0.05));

        assertThat(found(release, finding -> true).reason()).isEqualTo(reason);
    }

    /** A reset shows until the next answer, a second later. A look that came too late for it is given another one. */
    private static void restartUntilSeen(Release release) {
        AtomicInteger looks = new AtomicInteger();
        await().until(() -> {
            if (looks.getAndIncrement() % 100 == 0) {
                shop.restart();
            }
            Finding finding = source.of(release).get(0);
            return finding.health() == Health.HOLD && finding.reason().startsWith("counter reset: ");
        });
    }

    private static Finding found(Release release, Predicate<Finding> wanted) {
        return await().until(
                        () -> source.of(release).get(0),
                        finding -> !finding.reason().startsWith("no answer yet") && wanted.test(finding));
    }
}
