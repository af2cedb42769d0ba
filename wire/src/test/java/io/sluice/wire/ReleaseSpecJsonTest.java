package io.sluice.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.core.guard.ErrorRate;
import io.sluice.core.guard.Thresholds;
import io.sluice.core.problem.Problem;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.release.Plan;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReleaseSpecJsonTest {
    private static final Thresholds LIMITS =
            new Thresholds(100, ErrorRate.parse("2%"), Duration.ofMillis(300), Duration.ofSeconds(30));

    @Test
    void shortestRequestGetsTheUsualPlan() {
        ReleaseRequest request = readRequest("""
                {"id":"release-2026-10","version":"v2.1.0","services":["order","coupon"],
                 "guard":{"minSamples":100,"maxErrorRate":0.02,"maxP99":"300ms"}}
                """);

        assertThat(request.why()).isEmpty();
        assertThat(request.spec().plan()).isEqualTo(Plan.canary(Duration.ofMinutes(10), LIMITS));
        assertThat(request.spec().bucketing()).hasToString("fnv1a-mixed:release-2026-10");
    }

    @Test
    void requestIsWrittenInFullAndReadsBack() {
        String json = """
                {"id":"r","version":"v2","services":["coupon","order"],"salt":"s","hash":"fnv1a","allow":["vip-1"],\
                "rules":[{"name":"beta","match":{"channel":"app"},"percent":100}],\
                "plan":{"stages":[{"percent":0.5,"hold":"10m"},{"percent":100,"hold":"0s"}]},\
                "guard":{"minSamples":100,"maxErrorRate":0.02,"maxP99":"300ms","maxSilence":"30s"},\
                "why":"order 1234"}""";

        ReleaseRequest request = readRequest(json);

        assertThat(new String(ReleaseSpecJson.write(request), UTF_8)).isEqualTo(json);
        assertThat(ReleaseSpecJson.readStrict(ReleaseSpecJson.write(request.spec())))
                .isEqualTo(request.spec());
    }

    @Test
    void allProblemsAreNamedAtOnceEachWithItsPath() {
        List<Problem> problems = problemsOf("""
                {"id":"r","version":"v2","services":["a"],"colour":1,
                 "plan":{"stages":[{"percent":"x","hold":"1m"},{"percent":100}]},
                 "guard":{"minSamples":"many","maxErrorRate":"200%","maxP99":"300"},
                 "why":7}
                """);

        assertThat(problems)
                .extracting(Problem::path)
                .containsExactlyInAnyOrder(
                        "colour",
                        "plan.stages[0].percent",
                        "plan.stages[1].hold",
                        "guard.minSamples",
                        "guard.maxErrorRate",
                        "guard.maxP99",
                        "why");
    }

    @Test
    void stagesThatDoNotGrowAreRefusedWithTheirPath() {
        List<Problem> problems = problemsOf("""
                {"id":"r","version":"v2","services":["a"],
                 "plan":{"stages":[{"percent":10,"hold":"1m"},{"percent":5,"hold":"1m"}]},
                 "guard":{"minSamples":100,"maxErrorRate":0.02,"maxP99":"300ms"}}
                """);

        assertThat(problems)
                .extracting(Problem::toString)
                .containsExactly(
                        "plan.stages[1].percent was 5%, but must be more than the 10% before it",
                        "plan.stages[1].percent was 5%, but must be 100%");
    }

    @Test
    void limitsOutOfRangeAreRefusedWithTheirPath() {
        List<Problem> problems = problemsOf("""
                {"id":"r","version":"v2","services":["a"],
                 "guard":{"minSamples":0,"maxErrorRate":0.02,"maxP99":"11m","maxSilence":"0s"}}
                """);

        assertThat(problems)
                .extracting(Problem::path)
                .containsExactly("guard.minSamples", "guard.maxP99", "guard.maxSilence");
    }

    private static ReleaseRequest readRequest(String json) {
        return ReleaseSpecJson.readRequest(json.getBytes(UTF_8));
    }

    private static List<Problem> problemsOf(String json) {
        return catchThrowableOfType(RefusedException.class, () -> readRequest(json))
                .problems();
    }
}
