package io.sluice.server.metrics;

import static io.sluice.server.metrics.FakePrometheus.body;
import static io.sluice.server.metrics.FakePrometheus.number;
import static io.sluice.server.metrics.FakePrometheus.part;
import static io.sluice.server.metrics.FakePrometheus.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.core.guard.Finding;
import io.sluice.core.guard.Health;
import io.sluice.core.guard.Metric;
import io.sluice.core.guard.StageGuard;
import io.sluice.core.guard.Verdict;
import io.sluice.core.release.Release;
import io.sluice.server.LocalServer;
import io.sluice.server.TestDatabase;
import io.sluice.testing.Requirement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What each answer of a source comes to. */
class ScriptedAnswersTest {
    private static final Map<String, FakePrometheus.Reply> REPLIES = new ConcurrentHashMap<>();
    private static final FakePrometheus FAKE = new FakePrometheus(FakePrometheus.by(REPLIES));
    private static final PrometheusSource SOURCE = new PrometheusSource(
            new PrometheusSettings(FAKE.url(), "", Duration.ofSeconds(1)),
            new CountingStore(TestDatabase.create().jdbc()),
            InstantSource.system(),
            System::nanoTime);
    private static final String MATRIX = "[{\"metric\":{},\"values\":[[NOW,\"1\"]]}]";

    @AfterAll
    static void end() {
        SOURCE.close();
        FAKE.close();
    }

    static Stream<Arguments> answersThatAreNumbers() {
        return Stream.of(
                Arguments.of("under", number(119), Health.HEALTHY, "depth=119<=120"),
                Arguments.of("equal", number(120), Health.HEALTHY, "depth=120<=120"),
                Arguments.of("over", number(120.00001), Health.BREACH, "depth=120.00001>120"),
                Arguments.of("far over", value("1.5e+300"), Health.BREACH, "depth=1.5E300>120"),
                Arguments.of("negative", number(-1), Health.HEALTHY, "depth=-1<=120"),
                Arguments.of("a scalar", result("scalar", "[NOW,\"121\"]"), Health.BREACH, "depth=121>120"),
                Arguments.of(
                        "with notes",
                        body(
                                200,
                                "{\"status\":\"success\",\"infos\":[\"is it a counter?\"],\"data\":{\"resultType\":\"scalar\","
                                        + "\"result\":[NOW,\"1\"]}}"),
                        Health.HEALTHY,
                        "depth=1<=120"));
    }

    static Stream<Arguments> answersThatAreNone() {
        return Stream.of(
                none("NaN", value("NaN"), "got NaN"),
                none("infinity", value("+Inf"), "got Infinity"),
                none("minus infinity", value("-Inf"), "got -Infinity"),
                none("empty", result("vector", "[]"), "got an empty result"),
                none("range vector", result("matrix", MATRIX), "got a result of type matrix"),
                none("string", result("string", "[NOW,\"1\"]"), "got a result of type string"),
                none("no type", body(200, "{\"status\":\"success\",\"data\":{}}"), "got a result of type nothing"),
                none("no data", body(200, "{\"status\":\"success\"}"), "got a result of type nothing"),
                none(
                        "two series",
                        result(
                                "vector",
                                "[{\"metric\":{\"a\":\"1\"},\"value\":[NOW,\"1\"]},"
                                        + "{\"metric\":{\"a\":\"2\"},\"value\":[NOW,\"1\"]}]"),
                        "got 2 series in place of one"),
                none(
                        "old",
                        result("vector", "[{\"metric\":{},\"value\":[1000000000,\"1\"]}]"),
                        "s ago, by this server's"),
                none("from the future", result("scalar", "[9999999999.5,\"1\"]"), "s from now, by this server's clock"),
                none("no time", result("scalar", "[null,\"1\"]"), "got a value that is no pair"),
                none("a time in words", result("scalar", "[\"NOW\",\"1\"]"), "got a value that is no pair"),
                none("endless time", result("scalar", "[1e999,\"1\"]"), "got "),
                none("a bare number", result("scalar", "[NOW,1]"), "got a value that is no pair"),
                none("words", value("many"), "got a value that is no number: many"),
                none("a number of Java", value("1d"), "got a value that is no number: 1d"),
                none("a hexadecimal", value("0x10"), "got a value that is no number"),
                none("nothing", value(""), "got a value that is no number"),
                none("three in a pair", result("scalar", "[NOW,\"1\",\"2\"]"), "got a value that is no pair"),
                none("a vector of text", result("vector", "\"none\""), "got a vector that is no list"),
                none(
                        "histogram",
                        result("vector", "[{\"metric\":{},\"histogram\":[NOW,{\"count\":\"1\"}]}]"),
                        "got a histogram"),
                none(
                        "partial",
                        body(
                                200,
                                "{\"status\":\"success\",\"warnings\":[\"store-3 did not answer\"],\"data\":{\"resultType\":"
                                        + "\"scalar\",\"result\":[NOW,\"1\"]}}"),
                        "got a warning: store-3 did not answer"),
                none("error with 200", body(200, "{\"status\":\"error\",\"error\":\"busy\"}"), "got HTTP 200: busy"),
                none(
                        "bad query",
                        body(400, "{\"status\":\"error\",\"errorType\":\"bad_data\",\"error\":\"parse error\"}"),
                        "got HTTP 400: parse error"),
                none("too much", body(422, "{\"status\":\"error\",\"error\":\"too many\"}"), "got HTTP 422: too many"),
                none("unauthorized", body(401, "no"), "got HTTP 401 with a body that is no JSON"),
                none("internal error", body(500, ""), "got HTTP 500"),
                none("unavailable", body(503, "<html>"), "got HTTP 503"),
                none("success with 500", body(500, "{\"status\":\"success\"}"), "got HTTP 500"),
                none("no content", body(204, ""), "got HTTP 204"),
                none("redirect", FakePrometheus.redirect("http://127.0.0.1:1/"), "got HTTP 302, and redirects are not"),
                none("garbage", body(200, "\u0000\u0001"), "got HTTP 200 with a body that is no JSON"),
                none("empty body", body(200, ""), "got HTTP 200"),
                none("half a JSON", body(200, "{\"status\":\"success\","), "got HTTP 200 with a body that is no JSON"),
                none(
                        "more behind",
                        body(200, "{\"status\":\"success\"} 1"),
                        "got HTTP 200 with a body that is no JSON"),
                none(
                        "a key twice",
                        body(200, "{\"status\":\"error\",\"status\":\"success\"}"),
                        "got HTTP 200 with a body that is no JSON"),
                none("deep", body(200, "[".repeat(60_000)), "got HTTP 200 with a body that is no JSON"),
                none("an array", body(200, "[]"), "got HTTP 200"),
                none("half a body", FakePrometheus.half(), "got no whole answer"),
                none("a body without end", FakePrometheus.endless(), "got an answer of more than 64 KiB"),
                none("a body that stops", FAKE.trickle(), "got no answer within 5 s"),
                none("nothing at all", FAKE.hang(), "got no answer within 5 s"));
    }

    static Stream<Arguments> countersThatAreNone() {
        String total = part("canary_total", 9) + "," + part("stable_bad", 0) + "," + part("stable_total", 9);
        return Stream.of(
                none("one is missing", result("vector", "[" + total + "]"), "got an empty result for canary_bad"),
                none(
                        "one is there twice",
                        result("vector", "[" + total + "," + part("canary_bad", 1) + "," + part("canary_bad", 2) + "]"),
                        "got 2 series in place of one for canary_bad"),
                none(
                        "one is NaN",
                        result("vector", "[" + total + "," + part("canary_bad", "NaN") + "]"),
                        "got NaN for canary_bad, which is no counter"),
                none(
                        "one is negative",
                        result("vector", "[" + total + "," + part("canary_bad", "-1") + "]"),
                        "got -1.0 for canary_bad"),
                none(
                        "one is infinite",
                        result("vector", "[" + total + "," + part("canary_bad", "+Inf") + "]"),
                        "got Infinity for canary_bad"),
                none("no parts", result("scalar", "[NOW,\"1\"]"), "got an empty result for canary_total"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("answersThatAreNumbers")
    @Requirement({"B2", "B8"})
    void aNumberIsHeldAgainstItsLimit(String name, FakePrometheus.Reply reply, Health health, String reason) {
        Finding finding = answered(limit(reply));

        assertThat(finding.health()).isEqualTo(health);
        assertThat(finding.reason()).isEqualTo(reason);
        assertThat(finding.critical()).isTrue();
        assertThat(finding.limit()).isEqualTo(120);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("answersThatAreNone")
    @Requirement({"B7", "F26"})
    void whatIsNoNumberHoldsTheRampAndSaysWhatCame(String name, FakePrometheus.Reply reply, String reason) {
        Release release = limit(reply);

        Finding finding = answered(release);

        assertThat(finding.reason()).startsWith("got ").contains(reason).endsWith(" from " + query(release));
        assertThat(finding.value()).isNaN();
        assertNoWeightRises(release, finding);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("countersThatAreNone")
    @Requirement({"B7", "F26"})
    void countersThatAreNoneHoldTheRampAndSayWhatCame(String name, FakePrometheus.Reply reply, String reason) {
        String id = LocalServer.name("counted");
        Release release = SampleMetrics.started(
                id, SampleMetrics.counters("declined", id + "_bad_{{lane}}", id + "_total_{{lane}}"));
        REPLIES.put(
                new CountersQuestion(
                                release,
                                release.spec().plan().metrics().get(0),
                                new Metric.Counters(id + "_bad_{{lane}}", id + "_total_{{lane}}"),
                                new CountingStore(TestDatabase.create().jdbc()))
                        .text(Duration.ofSeconds(1)),
                reply);

        Finding finding = answered(release);

        assertThat(finding.reason()).startsWith(reason).contains(" from " + id);
        assertNoWeightRises(release, finding);
    }

    private static void assertNoWeightRises(Release release, Finding finding) {
        assertThat(finding.health()).isEqualTo(Health.HOLD);
        Verdict verdict = StageGuard.of("metrics", SOURCE.of(release));
        assertThat(verdict.reason()).isEqualTo(StageGuard.SOURCE_ERROR);
        Release next = release.after(verdict, Duration.ofDays(30));
        assertThat(next.step()).isEqualTo(release.step());
        assertThat(next.phase().percent(next.spec().plan()))
                .isEqualTo(release.phase().percent(release.spec().plan()));
    }

    private static Release limit(FakePrometheus.Reply reply) {
        String id = LocalServer.name("asked");
        REPLIES.put("query_" + id, reply);
        return SampleMetrics.started(id, SampleMetrics.limit("depth", "query_" + id, 120));
    }

    private static String query(Release release) {
        return "query_" + release.id();
    }

    private static Finding answered(Release release) {
        return await().until(
                        () -> SOURCE.of(release).get(0),
                        finding -> !finding.reason().startsWith("no answer yet"));
    }

    private static FakePrometheus.Reply value(String value) {
        return result("vector", "[{\"metric\":{},\"value\":[NOW,\"" + value + "\"]}]");
    }

    private static Arguments none(String name, FakePrometheus.Reply reply, String reason) {
        return Arguments.of(name, reply, reason);
    }
}
