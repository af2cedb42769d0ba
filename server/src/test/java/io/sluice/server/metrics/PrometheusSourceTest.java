package io.sluice.server.metrics;

import static io.sluice.server.metrics.FakePrometheus.counters;
import static io.sluice.server.metrics.FakePrometheus.number;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.core.decision.Lane;
import io.sluice.core.guard.Finding;
import io.sluice.core.guard.Health;
import io.sluice.core.guard.Metric;
import io.sluice.core.guard.StageGuard;
import io.sluice.core.guard.Tick;
import io.sluice.core.guard.Verdict;
import io.sluice.core.release.Command;
import io.sluice.core.release.MetricSource;
import io.sluice.core.release.Release;
import io.sluice.server.LocalServer;
import io.sluice.server.TestDatabase;
import io.sluice.testing.Requirement;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PrometheusSourceTest {
    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final Metric DECLINED = SampleMetrics.counters("declined", "bad_{{lane}}", "total_{{lane}}");

    private final TestDatabase database = TestDatabase.create();
    private final AtomicReference<FakePrometheus.Reply> reply = new AtomicReference<>(number(1));
    private final AtomicLong ahead = new AtomicLong();
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void end() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    @Test
    void aReleaseWithoutMetricsIsNotAskedAbout() {
        FakePrometheus fake = fake();
        PrometheusSource source = source(fake.url(), "");

        assertThat(source.of(SampleMetrics.started("none"))).isEmpty();
        assertThat(fake.asked()).isEmpty();
    }

    @Test
    void theFirstLookHasNoAnswerYet() {
        FakePrometheus fake = fake();
        reply.set(fake.hang());

        Finding finding = source(fake.url(), "")
                .of(SampleMetrics.started("new", depth("depth")))
                .get(0);

        assertThat(finding.health()).isEqualTo(Health.HOLD);
        assertThat(finding.reason()).isEqualTo("no answer yet from depth");
    }

    @Test
    void theTokenIsShown() {
        FakePrometheus fake = fake();
        PrometheusSource source = source(fake.url(), "abc==");

        found(source, SampleMetrics.started("secret", depth("depth")), Health.HEALTHY);

        assertThat(fake.asked().get(0).authorization()).isEqualTo("Bearer abc==");
    }

    @Test
    void aPathBeforeTheInterfaceIsKept() {
        FakePrometheus fake = fake();
        PrometheusSource source = source(fake.url().resolve("/prometheus/"), "");

        Finding finding = found(source, SampleMetrics.started("path", depth("depth")), Health.HOLD);

        assertThat(finding.reason()).startsWith("got HTTP 404");
    }

    @Test
    @Requirement({"B7", "F27"})
    void aSourceThatIsNotThereHolds() {
        PrometheusSource source = source(URI.create("http://127.0.0.1:1"), "");

        Finding finding = found(source, SampleMetrics.started("down", depth("depth")), Health.HOLD);

        assertThat(finding.reason()).isEqualTo("got no connection from depth");
    }

    @Test
    @Requirement("B7")
    void anAnswerThatIsTooOldHoldsAndSaysItsAge() {
        FakePrometheus fake = fake();
        PrometheusSource source = source(fake.url(), "");
        Release release = SampleMetrics.started("aged", depth("depth"));
        found(source, release, Health.HEALTHY);
        AtomicInteger hanging = new AtomicInteger();
        reply.set(exchange -> {
            hanging.incrementAndGet();
            fake.hang().to(exchange);
        });
        await().until(() -> hanging.get() > 0);

        ahead.addAndGet(Duration.ofSeconds(12).toNanos());

        Finding finding = source.of(release).get(0);
        assertThat(finding.health()).isEqualTo(Health.HOLD);
        assertThat(finding.reason()).matches("no newer answer than one 1[2-9] s ago from depth");
    }

    @Test
    void whatIsNotCriticalIsShownAndChangesNothing() {
        FakePrometheus fake = fake();
        reply.set(number(999));
        PrometheusSource source = source(fake.url(), "");
        Release release = SampleMetrics.started("shown", new Metric("depth", false, new Metric.Limit("depth", 120)));

        Finding finding = found(source, release, Health.BREACH);

        assertThat(finding.critical()).isFalse();
        assertThat(StageGuard.of("metrics", List.of(finding)).health()).isEqualTo(Health.HEALTHY);
    }

    @Test
    @Requirement("F28")
    void aStepThatFollowsStartsWithNothing() {
        FakePrometheus fake = fake();
        reply.set(number(999));
        PrometheusSource source = source(fake.url(), "");
        Release first = SampleMetrics.started("steps", depth("depth_{{step}}"));
        found(source, first, Health.BREACH);
        reply.set(fake.hang());

        Release second = first.on(Command.PROMOTE, "");

        assertThat(source.of(second).get(0).reason()).isEqualTo("no answer yet from depth_{{step}}");
        await().untilAsserted(() ->
                assertThat(fake.asked()).extracting(FakePrometheus.Asked::query).contains("depth_2"));
    }

    @Test
    @Requirement("F28")
    void countersOfAStepAreCountedFromItsBeginning() {
        FakePrometheus fake = fake();
        AtomicInteger seconds = rising(100, 50, 1000, 10);
        PrometheusSource source = source(fake.url(), "");
        Release first = SampleMetrics.started("counted", DECLINED);
        found(source, first, Health.BREACH);
        // They stand still from here on: what the step before had counted would be a breach at once, and stay one.
        int counted = seconds.get();
        reply.set(counters(counted * 50L, counted * 100L, counted * 10L, counted * 1000L));

        Release second = first.on(Command.PROMOTE, "");

        Finding finding = found(source, second, Health.HOLD);
        assertThat(finding.counts()).isEqualTo(Tick.NOTHING);
        assertThat(seconds).hasPositiveValue();
        assertThat(rows()).isOne();
    }

    @Test
    void nothingIsComparedWhereOneLaneHasEverything() {
        FakePrometheus fake = fake();
        PrometheusSource source = source(fake.url(), "");
        Release release = SampleMetrics.started("all", DECLINED, depth("depth"));
        for (int stage = 1; stage < 5; stage++) {
            release = release.on(Command.PROMOTE, "");
        }
        Release everybody = release;

        await().untilAsserted(() ->
                assertThat(source.of(everybody)).extracting(Finding::health).containsOnly(Health.HEALTHY));

        assertThat(fake.asked()).extracting(FakePrometheus.Asked::query).containsOnly("depth");
    }

    @Test
    @Requirement("C9")
    void evidenceOutlivesTheProcess() throws Exception {
        FakePrometheus fake = fake();
        rising(100, 1, 1000, 10);
        Release release = SampleMetrics.started("restarted", DECLINED);
        PrometheusSource source = source(fake.url(), "");
        Finding before = found(source, release, Health.HEALTHY);
        source.close();

        Finding after = found(source(fake.url(), ""), release, Health.HEALTHY);

        assertThat(after.counts().canary())
                .isGreaterThanOrEqualTo(before.counts().canary());
        assertThat(after.counts().canaryBad()).isGreaterThanOrEqualTo(1);
        assertThat(after.counts().stable()).isEqualTo(10 * after.counts().canary());
    }

    @Test
    @Requirement("B7")
    void aStableLaneThatCountsNothingIsNoBaseline() {
        FakePrometheus fake = fake();
        rising(100, 1, 0, 0);
        PrometheusSource source = source(fake.url(), "");
        Release release = SampleMetrics.started("alone", DECLINED);
        found(source, release, Health.HOLD);

        ahead.addAndGet(Duration.ofSeconds(91).toNanos());

        await().untilAsserted(() -> assertThat(source.of(release).get(0).reason())
                .matches("no_baseline: stable's total has not risen for [0-9]+ s"));
    }

    @Test
    @Requirement("F27")
    void aSourceThatHangsForSomeDelaysNoOther() {
        AtomicReference<FakePrometheus> hanging = new AtomicReference<>();
        FakePrometheus fake = opened(new FakePrometheus(
                query -> query.startsWith("bad") ? hanging.get().hang() : number(1)));
        hanging.set(fake);
        PrometheusSource source = source(fake.url(), "");
        List<Release> good = IntStream.range(0, 20)
                .mapToObj(i -> SampleMetrics.started("good-" + i, depth("good{release=\"{{release}}\"}")))
                .toList();
        List<Release> bad = IntStream.range(0, 20)
                .mapToObj(i -> SampleMetrics.started("bad-" + i, depth("bad"), depth2("bad"), depth3("bad")))
                .toList();

        await().untilAsserted(() -> {
            good.forEach(source::of);
            assertThat(bad.stream().flatMap(release -> source.of(release).stream()))
                    .extracting(Finding::reason)
                    .containsOnly("got no answer within 5 s from bad");
        });

        assertThat(good.stream().flatMap(release -> source.of(release).stream()))
                .extracting(Finding::health)
                .containsOnly(Health.HEALTHY);
        for (Release release : good) {
            List<Long> times = fake.asked().stream()
                    .filter(asked -> asked.query().contains("\"" + release.id() + "\""))
                    .map(FakePrometheus.Asked::nanos)
                    .toList();
            assertThat(times).hasSizeGreaterThanOrEqualTo(4);
            for (int i = 1; i < times.size(); i++) {
                assertThat(Duration.ofNanos(times.get(i) - times.get(i - 1))).isLessThan(Prometheus.LONGEST);
            }
        }
    }

    @Test
    void whatIsLookedAtNoMoreIsNotAskedAbout() {
        FakePrometheus fake = fake();
        PrometheusSource source = source(fake.url(), "");
        found(source, SampleMetrics.started("gone", depth("depth")), Health.HEALTHY);

        ahead.addAndGet(Duration.ofMinutes(4).toNanos());
        int asked = fake.asked().size();

        await().during(Duration.ofSeconds(3)).until(() -> fake.asked().size() <= asked + 1);
    }

    @Test
    @Requirement("B7")
    void aServerWithoutASourceHoldsAndSaysHowToGiveOne() {
        Release release = SampleMetrics.started("without", depth("depth"), DECLINED);
        MetricSource none = LocalServer.context().getBean(MetricSource.class);

        Verdict verdict = StageGuard.of("metrics", none.of(release));

        assertThat(verdict.health()).isEqualTo(Health.HOLD);
        assertThat(verdict.reason()).isEqualTo(StageGuard.SOURCE_ERROR);
        assertThat(verdict.findings())
                .hasSize(2)
                .extracting(Finding::reason)
                .containsOnly("no metric source is configured: start the server with --prometheus URL");
        assertThat(none.of(SampleMetrics.started("with-none"))).isEmpty();
    }

    @Test
    void theFourCountersAreAskedForAtOnce() {
        CountersQuestion question = new CountersQuestion(
                SampleMetrics.started("asked", DECLINED),
                DECLINED,
                (Metric.Counters) DECLINED.query(),
                new CountingStore(database.jdbc()));

        String text = question.text(Duration.ofSeconds(3));

        for (Lane lane : Lane.values()) {
            assertThat(text)
                    .contains(
                            "label_replace((bad_" + lane.label() + "\n), \"sluice_part\", \"" + lane.label() + "_bad\"")
                    .contains("label_replace((total_" + lane.label() + "\n)");
        }
    }

    /** Counters that rise by so much with every question. */
    private AtomicInteger rising(long canary, long canaryBad, long stable, long stableBad) {
        AtomicInteger asked = new AtomicInteger();
        reply.set(exchange -> {
            long n = asked.incrementAndGet();
            counters(n * canaryBad, n * canary, n * stableBad, n * stable).to(exchange);
        });
        return asked;
    }

    private long rows() {
        return database.jdbc()
                .sql("select count(*) from metric_state")
                .query(Long.class)
                .single();
    }

    private FakePrometheus fake() {
        return opened(new FakePrometheus(query -> reply.get()));
    }

    private PrometheusSource source(URI url, String token) {
        return opened(new PrometheusSource(
                new PrometheusSettings(url, token, EVERY),
                new CountingStore(database.jdbc()),
                InstantSource.system(),
                () -> System.nanoTime() + ahead.get()));
    }

    private <T extends AutoCloseable> T opened(T each) {
        open.add(0, each);
        return each;
    }

    private static Finding found(PrometheusSource source, Release release, Health health) {
        return await().until(
                        () -> source.of(release).get(0),
                        finding ->
                                finding.health() == health && !finding.reason().startsWith("no answer yet"));
    }

    private static Metric depth(String query) {
        return SampleMetrics.limit("depth", query, 120);
    }

    private static Metric depth2(String query) {
        return SampleMetrics.limit("depth-2", query, 120);
    }

    private static Metric depth3(String query) {
        return SampleMetrics.limit("depth-3", query, 120);
    }
}
