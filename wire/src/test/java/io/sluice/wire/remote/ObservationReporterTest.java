package io.sluice.wire.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.core.observation.ObservationRecorder;
import io.sluice.core.observation.Vantage;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.rule.InMemoryRuleSource;
import io.sluice.core.rule.ReleaseRule;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.tag.TrafficTag;
import io.sluice.testing.Requirement;
import io.sluice.testing.SettableClock;
import io.sluice.wire.ObservationBatch;
import io.sluice.wire.ObservationBatchJson;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class ObservationReporterTest {
    private static final Duration LONG_ENOUGH = Duration.ofSeconds(10);
    private static final Duration PATIENT = Duration.ofSeconds(60);

    private final SettableClock clock = SettableClock.create();
    private final FakeServer server = FakeServer.started();
    private final InMemoryRuleSource rules = new InMemoryRuleSource();
    private final AtomicLong nanos = new AtomicLong();
    private final ObservationRecorder recorder =
            new ObservationRecorder(new Vantage.Instance("order", "v2"), rules, nanos::get);
    private final ObservationReporter reporter = settings().build();

    ObservationReporterTest() {
        rules.offer(Rules.at(7, 10));
    }

    @AfterEach
    void stop() {
        reporter.close();
        server.close();
    }

    @Test
    void oneIntervalIsOneBatch() {
        record(3);
        reporter.report();
        record(2);
        reporter.report();

        assertThat(server.batches).extracting(ObservationBatch::requests).containsExactly(3L, 2L);
        assertThat(server.batches).extracting(ObservationBatch::sequence).containsExactly(0L, 1L);
        assertThat(server.batches).extracting(ObservationBatch::run).allMatch(run -> run.equals(first().run()));
        assertThat(first().instance()).isEqualTo("order@127.0.0.1:8081");
        assertThat(first().service()).isEqualTo("order");
        assertThat(first().version()).isEqualTo("v2");
    }

    @Test
    void idleInstanceGivesASignOfLifeNowAndThen() {
        reporter.report();
        reporter.report();
        clock.advance(Duration.ofSeconds(5));
        reporter.report();

        assertThat(server.batches).extracting(ObservationBatch::requests).containsExactly(0L, 0L);
    }

    @Requirement("B7")
    @Test
    void aRequestThatDoesNotEndIsReasonEnoughForABatch() {
        reporter.report();
        recorder.begin(TrafficTag.empty());
        reporter.report();
        nanos.addAndGet(LONG_ENOUGH.toNanos());
        reporter.report();

        assertThat(server.batches).hasSize(2);
        assertThat(first().entries()).isEmpty();
        assertThat(server.batches.get(1).requests()).isZero();
        assertThat(server.batches.get(1).entries())
                .singleElement()
                .extracting(entry -> entry.tally().overdue())
                .isEqualTo(1L);
    }

    @Test
    void batchesWaitForAServerThatIsAwayAndArriveOldestFirst() {
        server.stop();
        reportEach(2);
        server.start();
        clock.advance(LONG_ENOUGH);
        reportEach(1);

        assertThat(server.batches).extracting(ObservationBatch::sequence).containsExactly(0L, 1L, 2L);
        assertThat(reporter.failedAttempts()).isPositive();
        assertThat(reporter.droppedBatches()).isZero();
    }

    @Test
    void unconfirmedBatchIsSentAgainUnderItsOwnNumber() {
        server.postStatus = 0;
        reportEach(1);
        server.postStatus = 204;
        clock.advance(LONG_ENOUGH);
        reporter.report();

        assertThat(server.batches).hasSizeGreaterThanOrEqualTo(2);
        assertThat(server.batches).extracting(ObservationBatch::sequence).containsOnly(0L);
        assertThat(server.batches).extracting(ObservationBatch::requests).containsOnly(1L);
    }

    @Test
    void failedAttemptIsNotRepeatedAtOnce() {
        server.postStatus = 503;
        reportEach(5);

        assertThat(server.batches).hasSize(1);
        assertThat(reporter.failedAttempts()).isEqualTo(1);
    }

    @Test
    void oldestIsDroppedAndCountedWhenTooManyWait() {
        server.postStatus = 503;
        reportEach(5);
        server.postStatus = 204;
        server.batches.clear();
        clock.advance(LONG_ENOUGH);
        reporter.report();

        assertThat(server.batches).extracting(ObservationBatch::sequence).containsExactly(2L, 3L, 4L);
        assertThat(reporter.droppedBatches()).isEqualTo(2);
        assertThat(reporter.droppedRequests()).isEqualTo(2);
    }

    @ParameterizedTest(name = "status {0}")
    @ValueSource(ints = {400, 413, 415})
    void batchThatTheServerRefusesIsDroppedAndCounted(int status) {
        server.postStatus = status;
        reportEach(1);
        server.postStatus = 204;
        reportEach(1);

        assertThat(server.batches).extracting(ObservationBatch::sequence).containsExactly(0L, 1L);
        assertThat(reporter.refusedBatches()).isEqualTo(1);
        assertThat(reporter.failedAttempts()).isZero();
    }

    @ParameterizedTest(name = "status {0}")
    @ValueSource(ints = {401, 403, 404, 429, 500, 503})
    void batchThatTheServerCannotTakeNowIsKept(int status) {
        server.postStatus = status;
        reportEach(1);

        assertThat(reporter.refusedBatches()).isZero();
        assertThat(reporter.failedAttempts()).isEqualTo(1);
    }

    @Test
    void reportsByItselfAndOnceMoreWhenItIsClosed() {
        ObservationReporter running = settings().interval(Duration.ofMillis(20)).start();
        record(1);
        await().until(() -> requestsSeen() == 1);
        record(2);
        running.close();

        assertThat(requestsSeen()).isEqualTo(3);
    }

    @Test
    void closingDoesNotWaitForAServerThatIsAway() {
        server.stop();
        ObservationReporter running = settings().interval(Duration.ofMillis(20)).start();
        record(1);
        await().until(() -> running.failedAttempts() > 0);
        long began = System.nanoTime();

        running.close();

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));
    }

    @Test
    void edgeReportsAsStable() {
        ObservationRecorder edge = new ObservationRecorder(new Vantage.Edge("gateway"), rules);
        ObservationReporter.builder(server.address(), edge, "gateway@1")
                .answerWithin(PATIENT)
                .build()
                .report();

        assertThat(first().version()).isEqualTo("stable");
        assertThat(first().service()).isEqualTo("gateway");
    }

    @Test
    void whatOneBatchCannotHoldGoesInSeveral() {
        InMemoryRuleSource many = new InMemoryRuleSource();
        many.offer(RuleSet.of(
                1,
                1,
                IntStream.range(0, 60)
                        .mapToObj(i -> new ReleaseRule(
                                "r" + i,
                                "v2",
                                List.of("service-" + i),
                                Rules.at(1, 10).releases().get(0).split(),
                                List.of(),
                                1,
                                Duration.ofMillis(300)))
                        .toList()));
        ObservationRecorder edge = new ObservationRecorder(new Vantage.Edge("gateway"), many);
        // Everything that an entry can have: all registers, all buckets, both samples full.
        for (int customer = 0; customer < 20_000; customer++) {
            TrafficTag tag = new TrafficTag("c" + customer, "", List.of());
            edge.begin(tag).end(Math.round(Math.pow(1.001, customer)), customer % 20 == 0);
        }
        try (ObservationReporter atEdge = ObservationReporter.builder(server.address(), edge, "gateway@127.0.0.1:8080")
                .answerWithin(PATIENT)
                .clock(clock)
                .build()) {
            atEdge.report();
        }

        assertThat(server.batches).extracting(batch -> batch.entries().size()).startsWith(50, 10);
        assertThat(server.batches.get(0).sequence()).isZero();
        assertThat(server.batches.get(1).sequence()).isEqualTo(1);
        assertThat(ObservationBatchJson.write(first())).hasSizeLessThan(1 << 20);
    }

    @Test
    void instanceWithoutAUsableNameIsRefused() {
        assertThatThrownBy(() -> ObservationReporter.builder(server.address(), recorder, "a b")
                        .build())
                .isInstanceOf(RefusedException.class)
                .hasMessageStartingWith("instance was a b");
    }

    private ObservationReporter.Builder settings() {
        return ObservationReporter.builder(server.address(), recorder, "order@127.0.0.1:8081")
                .answerWithin(PATIENT)
                .mostBatches(3)
                .clock(clock);
    }

    private void record(int requests) {
        IntStream.range(0, requests)
                .forEach(i -> recorder.begin(TrafficTag.empty()).end(1_000_000, false));
    }

    /** So many intervals of one request each. */
    private void reportEach(int intervals) {
        for (int i = 0; i < intervals; i++) {
            record(1);
            reporter.report();
        }
    }

    private ObservationBatch first() {
        return server.batches.get(0);
    }

    /** Each batch once, as the server counts: one whose answer was not awaited any more comes again under its number. */
    private long requestsSeen() {
        return server.batches.stream()
                .collect(Collectors.toMap(
                        ObservationBatch::sequence, ObservationBatch::requests, (first, again) -> first))
                .values()
                .stream()
                .mapToLong(Long::longValue)
                .sum();
    }
}
