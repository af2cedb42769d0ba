package io.sluice.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.core.channel.BatchGuard;
import io.sluice.core.channel.ChannelReleaseSpec;
import io.sluice.core.channel.Check;
import io.sluice.core.channel.Strategy;
import io.sluice.core.channel.Waits;
import io.sluice.core.decision.Percent;
import io.sluice.core.guard.ErrorRate;
import io.sluice.core.guard.Thresholds;
import io.sluice.core.problem.Problem;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.release.Policy;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChannelReleaseSpecJsonTest {
    private static final String BLUE_GREEN = """
            {"strategy":"blue-green","id":"trade-2026-11","channel":"trade","version":"v2","deployer":"processes",
             "check":"http://127.0.0.1:8081/actuator/health","waits":{"grace":"1s","quiet":"2s","spread":"3s"},
             "plan":{"stages":[{"percent":5,"hold":"1m","samples":50},{"percent":100,"hold":"0s"}]},
             "guard":{"minSamples":20,"maxErrorRate":"2%","maxP99":"300ms"},
             "green":[{"percent":25,"hold":"1m"},{"percent":50,"hold":"0s"}],"extra":{"order":2},"why":"pricing"}""";
    private static final String ROLLING =
            "{\"strategy\":\"rolling\",\"id\":\"r\",\"channel\":\"trade\",\"version\":\"v2\",\"batches\":4}";
    private static final String GUARDED = ROLLING.replace(
            "\"batches\":4",
            "\"batches\":4,\"guard\":{\"minSamples\":20,\"maxErrorRate\":\"2%\",\"maxP99\":\"300ms\",\"window\":\"1m\","
                    + "\"onBreach\":\"pause\",\"holdLimit\":\"5m\",\"onHold\":\"wait\"}");
    private static final List<String> SERVICES = List.of("inventory", "order");

    @Test
    void whatIsWrittenIsReadBackEqual() {
        for (String document : List.of(BLUE_GREEN, ROLLING, GUARDED)) {
            ChannelReleaseSpec spec = request(document).spec(SERVICES);

            assertThat(ChannelReleaseSpecJson.readSpec(ChannelReleaseSpecJson.write(spec)))
                    .isEqualTo(spec);
        }
    }

    @Test
    void everyFieldIsRead() {
        ChannelReleaseRequest request = request(BLUE_GREEN);

        assertThat(request.deployer()).isEqualTo("processes");
        assertThat(request.check()).isEqualTo(new Check(URI.create("http://127.0.0.1:8081/actuator/health")));
        assertThat(request.waits())
                .isEqualTo(new Waits(
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(3),
                        Waits.DEFAULT.deployWithin()));
        assertThat(request.why()).isEqualTo("pricing");
        assertThat(request.strategy()).isInstanceOfSatisfying(Strategy.BlueGreen.class, strategy -> {
            assertThat(strategy.plan().stages()).hasSize(2);
            assertThat(strategy.green().get(0).percent()).isEqualTo(Percent.of(25));
            assertThat(strategy.extra()).isEqualTo(Map.of("order", 2));
        });
    }

    @Test
    void aRollingReleaseIsJudgedByItsGuardIfItHasOne() {
        Thresholds limits = new Thresholds(
                20, ErrorRate.parse("2%"), Duration.ofMillis(300), Thresholds.DEFAULT_SILENCE, Duration.ofMinutes(1));

        assertThat(request(GUARDED).strategy())
                .isEqualTo(new Strategy.Rolling(
                        4,
                        Duration.ofSeconds(30),
                        new BatchGuard(limits, BatchGuard.OnBreach.PAUSE, Duration.ofMinutes(5), Policy.OnHold.WAIT)));
        assertThat(request(ROLLING).strategy()).isEqualTo(new Strategy.Rolling(4, Duration.ofSeconds(30)));
    }

    @Test
    void aSpecOfTheVersionBeforeHasNoGuard() {
        String stored = "{\"strategy\":\"rolling\",\"id\":\"r\",\"channel\":\"trade\",\"services\":[\"order\"],"
                + "\"version\":\"v2\",\"deployer\":\"manual\",\"waits\":{\"grace\":\"5s\",\"quiet\":\"10s\","
                + "\"spread\":\"40s\",\"deployWithin\":\"10m\"},\"batches\":4,\"between\":\"30s\"}";

        ChannelReleaseSpec spec = ChannelReleaseSpecJson.readSpec(stored.getBytes(UTF_8));

        assertThat(spec.strategy()).isEqualTo(new Strategy.Rolling(4, Duration.ofSeconds(30)));
        assertThat(new String(ChannelReleaseSpecJson.write(spec), UTF_8)).isEqualTo(stored);
    }

    @Test
    void whatDoesNotApplyToBatchesIsRefusedInTheirGuard() {
        String odd = GUARDED.replace("\"onBreach\":\"pause\"", "\"onBreach\":\"step-back\",\"baseline\":{}")
                .replace("\"holdLimit\":\"5m\"", "\"holdLimit\":\"0s\"");

        assertThat(problems(odd)).extracting(Problem::path).contains("guard.onBreach", "guard.baseline");
        assertThat(problems(GUARDED.replace("\"5m\"", "\"0s\"")))
                .extracting(Problem::toString)
                .containsExactly("guard.holdLimit was 0s, but must be within 1s..30d");
    }

    @Test
    void whatIsLeftOutIsAsUsual() {
        ChannelReleaseRequest request = request("{\"strategy\":\"blue-green\",\"id\":\"r\",\"channel\":\"trade\","
                + "\"version\":\"v2\",\"guard\":{\"minSamples\":1,\"maxErrorRate\":0,\"maxP99\":\"1s\"}}");

        assertThat(request.deployer()).isEqualTo("manual");
        assertThat(request.check()).isEqualTo(Check.MANUAL);
        assertThat(request.waits()).isEqualTo(Waits.DEFAULT);
        assertThat(request.strategy()).isInstanceOfSatisfying(Strategy.BlueGreen.class, strategy -> {
            assertThat(strategy.plan().stages()).hasSize(5);
            assertThat(strategy.green()).hasSize(2);
            assertThat(strategy.extra()).isEmpty();
        });
    }

    @Test
    void everyProblemIsNamedAtOnce() {
        List<Problem> problems = problems("{\"strategy\":\"blue-green\",\"id\":\"UPPER\",\"channel\":\"trade\","
                + "\"waits\":{\"quiet\":\"0s\",\"grace\":\"2d\"},\"check\":\"ftp://a/b\",\"extra\":{\"order\":0},"
                + "\"guard\":{\"minSamples\":0},\"green\":[{\"percent\":101,\"hold\":\"0s\"}],\"batches\":3}");

        assertThat(problems)
                .extracting(Problem::path)
                .contains(
                        "id",
                        "version",
                        "waits.quiet",
                        "waits.grace",
                        "check",
                        "extra.order",
                        "guard.minSamples",
                        "green[0].percent",
                        "batches");
    }

    @Test
    void oneBatchWouldLeaveNobody() {
        assertThat(problems(ROLLING.replace("\"batches\":4", "\"batches\":1")))
                .extracting(Problem::toString)
                .containsExactly("batches was 1, but must be a whole number within 2..100");
    }

    @Test
    void blueEndsAtAllAndGreenAtHalf() {
        String early = BLUE_GREEN.replace("\"percent\":100", "\"percent\":99");
        String late = BLUE_GREEN.replace("\"percent\":50", "\"percent\":60");
        String none =
                BLUE_GREEN.replace("\"percent\":5,", "\"percent\":0,").replace("[{\"percent\":25,", "[{\"percent\":0,");

        assertThat(problems(early)).extracting(Problem::path).containsExactly("plan.stages[1].percent");
        assertThat(problems(late))
                .extracting(Problem::toString)
                .containsExactly("green[1].percent was 60%, but must be 50%");
        assertThat(problems(none)).extracting(Problem::path).contains("plan.stages[0].percent");
    }

    @Test
    void theMetricsOfOtherSystemsAreRefused() {
        String metrics = BLUE_GREEN.replace(
                "\"maxP99\"", "\"metrics\":[{\"name\":\"heap\",\"query\":\"up\",\"max\":1}],\"maxP99\"");

        assertThat(problems(metrics))
                .extracting(Problem::toString)
                .containsExactly("guard.metrics was 1 metrics, but must be empty for a release of a channel");
    }

    @Test
    void aPasswordInTheCheckIsNotRepeated() {
        assertThat(problems(BLUE_GREEN.replace("http://127", "http://me:secret@127")))
                .singleElement()
                .satisfies(problem -> assertThat(problem.toString()).doesNotContain("secret"));
    }

    @ParameterizedTest
    @CsvSource({
        "{},false",
        "{\"strategy\":\"canary\"},false",
        "{\"strategy\":\"blue-green\"},true",
        "{\"strategy\":\"rolling\"},true",
        "{\"strategy\":\"recreate\"},true",
        "{\"strategy\":7},true"
    })
    void theStrategyTellsWhatIsMeant(String document, boolean channel) {
        assertThat(ChannelReleaseSpecJson.isMeant(document.getBytes(UTF_8))).isEqualTo(channel);
    }

    private static ChannelReleaseRequest request(String document) {
        return ChannelReleaseSpecJson.readRequest(document.getBytes(UTF_8));
    }

    private static List<Problem> problems(String document) {
        return catchThrowableOfType(RefusedException.class, () -> request(document))
                .problems();
    }
}
