package io.sluice.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.core.decision.Percent;
import io.sluice.core.guard.ErrorRate;
import io.sluice.core.guard.Thresholds;
import io.sluice.core.problem.Problem;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.release.Plan;
import io.sluice.core.release.PlanTemplate;
import io.sluice.core.release.ReleaseSpec;
import io.sluice.core.release.Stage;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

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
                "plan":{"stages":[{"percent":0.5,"hold":"10m","samples":500},{"percent":100,"hold":"1s"}],\
                "pace":"evidence","requestsPerSecond":10000000},\
                "guard":{"minSamples":100,"maxErrorRate":0.02,"maxP99":"300ms","maxSilence":"30s","window":"5m",\
                "baseline":{"alpha":0.005,"critical":["errors","slower_p99"]},\
                "metrics":[{"name":"heap","critical":false,"query":"max(heap{lane=\\"{{lane}}\\"})","max":0.75},\
                {"name":"carts","critical":true,"bad":"lost{{lane}}","total":"all{{lane}}"},\
                {"name":"queue","critical":true,"query":"queue","max":-5}],\
                "onBreach":"step-back","mostStepBacks":3,"holdLimit":"2h","onHold":"wait"},\
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

    @Test
    void olderDocumentsReadAsBefore() {
        Plan plan = readRequest("""
                {"id":"r","version":"v2","services":["order","coupon"],"salt":"s","hash":"fnv1a","allow":[],"rules":[],
                 "plan":{"stages":[{"percent":0.5,"hold":"10m"},{"percent":100,"hold":"0s"}]},
                 "guard":{"minSamples":100,"maxErrorRate":0.02,"maxP99":"300ms","maxSilence":"30s"}}
                """).spec().plan();

        assertThat(plan)
                .isEqualTo(new Plan(
                        List.of(
                                new Stage(Percent.parse("0.5"), Duration.ofMinutes(10)),
                                new Stage(Percent.HUNDRED, Duration.ZERO)),
                        LIMITS));
    }

    static List<Arguments> plans() {
        Duration ten = Duration.ofMinutes(10);
        Duration hour = Duration.ofHours(1);
        Duration half = Duration.ofMinutes(30);
        return List.of(
                Arguments.of("{'hold':'10m','bake':'1h'}", new PlanTemplate.Canary(ten, hour)),
                Arguments.of("{'template':'canary'}", new PlanTemplate.Canary(ten, ten)),
                Arguments.of("{'template':'canary','hold':'1h'}", new PlanTemplate.Canary(hour, hour)),
                Arguments.of(
                        "{'template':'four-phases'}",
                        new PlanTemplate.FourPhases(hour, Duration.ofHours(24), half, hour)),
                Arguments.of(
                        "{'template':'four-phases','internal':'30m','cycle':'1h','hold':'10m','bake':'30m'}",
                        new PlanTemplate.FourPhases(half, hour, ten, half)),
                Arguments.of("{'template':'fixed'}", new PlanTemplate.Fixed(Percent.of(10), ten, ten)),
                Arguments.of(
                        "{'template':'fixed','step':'12.5%','hold':'30m','bake':'1h'}",
                        new PlanTemplate.Fixed(Percent.parse("12.5"), half, hour)),
                Arguments.of("{'template':'exponential'}", new PlanTemplate.Exponential(Percent.of(1), 2, ten, ten)),
                Arguments.of(
                        "{'template':'exponential','first':0.5,'factor':10,'hold':'30m','bake':'1h'}",
                        new PlanTemplate.Exponential(Percent.parse("0.5"), 10, half, hour)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("plans")
    void aTemplateIsReadAsTheStagesItGives(String plan, PlanTemplate template) {
        ReleaseSpec spec = readRequest(withPlan(plan)).spec();

        assertThat(spec.plan().stages()).isEqualTo(template.stages());
        assertThat(ReleaseSpecJson.readStrict(ReleaseSpecJson.write(spec))).isEqualTo(spec);
        assertThat(new String(ReleaseSpecJson.write(spec), UTF_8))
                .contains("\"stages\"")
                .doesNotContain("template");
    }

    @Test
    void aTemplatesStagesMayAllAskForSamplesAndABakeTimeIsTheLastStages() {
        assertThat(readRequest(withPlan("{'template':'fixed','step':'50%','samples':7}"))
                        .spec()
                        .plan()
                        .stages())
                .extracting(Stage::samples)
                .containsExactly(7L, 7L);
        assertThat(readRequest(withPlan(
                                "{'stages':[{'percent':5,'hold':'1m'},{'percent':100,'hold':'1m'}],'bake':'1h'}"))
                        .spec()
                        .plan()
                        .stages())
                .extracting(Stage::hold)
                .containsExactly(Duration.ofMinutes(1), Duration.ofHours(1));
    }

    static List<Arguments> refusedPlans() {
        String six = "must be one of template, hold, bake, samples, pace, requestsPerSecond";
        return List.of(
                Arguments.of("{'template':'canary','factor':2}", "plan.factor was unknown, but " + six),
                Arguments.of("{'template':'canary','stages':[]}", "plan.stages was unknown, but " + six),
                Arguments.of(
                        "{'template':'fixed','first':'1%'}",
                        "plan.first was unknown, but must be one of template, step, hold, bake, samples, pace,"
                                + " requestsPerSecond"),
                Arguments.of(
                        "{'template':'linear','hold':'1m'}",
                        "plan.template was linear, but must be one of canary, four-phases, fixed, exponential"),
                Arguments.of("{'template':'exponential','factor':1}", "plan.factor was 1, but must be within 2..100"),
                Arguments.of("{'template':'fixed','step':'0.5%'}", "plan.step was 0.5%, but must be within 1%..100%"),
                Arguments.of("{'template':'canary','bake':'31d'}", "plan.bake was 31d, but must be within 0s..30d"),
                Arguments.of(
                        "{'stages':[{'percent':100,'hold':'1m'}],'bake':'31d'}",
                        "plan.bake was 31d, but must be within 0s..30d"),
                Arguments.of(
                        "{'pace':'time'}", "plan was pace, but must have exactly one of stages, hold and template"),
                Arguments.of("{'hold':'1m','pace':'fast'}", "plan.pace was fast, but must be one of time, evidence"),
                Arguments.of(
                        "{'hold':'1m','requestsPerSecond':20}",
                        "plan.stages[0].hold was 1m, but must be at least 500s at 1% of 20 requests a second, to have 100"
                                + " samples | plan.stages[1].hold was 1m, but must be at least 100s at 5% of 20 requests"
                                + " a second, to have 100 samples"),
                Arguments.of(
                        "{'template':'canary','hold':'1m','samples':600,'requestsPerSecond':100}",
                        "plan.stages[0].hold was 1m, but must be at least 10m at 1% of 100 requests a second, to have 600"
                                + " samples | plan.stages[1].hold was 1m, but must be at least 2m at 5% of 100 requests"
                                + " a second, to have 600 samples"),
                Arguments.of(
                        "{'hold':'1m','requestsPerSecond':0}",
                        "plan.requestsPerSecond was 0, but must be a whole number within 1..10000000"),
                Arguments.of(
                        "{'template':'four-phases'}",
                        "plan.stages[0].percent was 0%, but must be more than 0%, or the release must have an allowlist"
                                + " or rules that send somebody to canary"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refusedPlans")
    void whatAPlanCannotBeIsRefusedByName(String plan, String problems) {
        String json = withPlan(plan).replace(",\"allow\":[\"vip-1\"]", "");

        assertThat(String.join(
                        " | ", problemsOf(json).stream().map(Problem::toString).toList()))
                .isEqualTo(problems);
    }

    @Test
    void anObjectiveIsRefusedWhereTheLimitIsBeyondTheHistogram() {
        String json = """
                {"id":"r","version":"v2","services":["order"],
                 "guard":{"minSamples":100,"maxErrorRate":0.02,"maxP99":"61s","baseline":{"objective":"5s"}}}
                """;

        assertThat(problemsOf(json))
                .extracting(Problem::toString)
                .containsExactly(
                        "guard.baseline.objective was 5s, but must be left out where maxP99 is over 1m, which a"
                                + " histogram cannot tell");
    }

    static List<Arguments> refusedGuards() {
        String alpha = ", but must be within 0.000001..0.5, like 0.01 or 1%, at most six decimals";
        String kinds = ", but must have either query and max, or bad and total";
        return List.of(
                Arguments.of("'baseline':{'alpha':0}", "guard.baseline.alpha was 0" + alpha),
                Arguments.of("'baseline':{'alpha':1}", "guard.baseline.alpha was 1" + alpha),
                Arguments.of("'baseline':{'alpha':'100%'}", "guard.baseline.alpha was 100%" + alpha),
                Arguments.of("'baseline':{'alpha':NaN}", "guard.baseline.alpha was NaN" + alpha),
                Arguments.of("'baseline':{'alpha':-0.01}", "guard.baseline.alpha was -0.01" + alpha),
                Arguments.of(
                        "'baseline':{'objective':'11m'}",
                        "guard.baseline.objective was 11m, but must be within 1ms..10m"),
                Arguments.of(
                        "'baseline':{'objective':'0s'}",
                        "guard.baseline.objective was 0s, but must be within 1ms..10m"),
                Arguments.of("'baseline':'none'", "guard.baseline was none, but must be off or an object"),
                Arguments.of("'baseline':[]", "guard.baseline was a list, but must be off or an object"),
                Arguments.of(
                        "'baseline':{'critical':['slow','p99']}",
                        "guard.baseline.critical[1] was p99, but must be one of errors, slow, slower_p50, slower_p90,"
                                + " slower_p99"),
                Arguments.of(
                        "'baseline':{'critical':['slow','slow']}",
                        "guard.baseline.critical[1] was slow, but must be there once"),
                Arguments.of(
                        "'metrics':[{'name':'a','query':'q','max':1},{'name':'b','query':' ','max':1}]",
                        "guard.metrics[1].query was 1 characters, but must be a query of 1..4096 characters"),
                Arguments.of(
                        "'metrics':[{'name':'a','query':'q','max':1},{'name':'a','query':'q','max':1}]",
                        "guard.metrics[1].name was a, but must be used once"),
                Arguments.of(
                        "'metrics':[{'name':'a','query':'q','max':NaN}]",
                        "guard.metrics[0].max was NaN, but must be a number"),
                Arguments.of(
                        "'metrics':[{'name':'a','query':'q','max':1e999999999}]",
                        "guard.metrics[0].max was Infinity, but must be a number"),
                Arguments.of(
                        "'metrics':[{'name':'a','query':'q','bad':'b'}]",
                        "guard.metrics[0] was name, query, bad" + kinds),
                Arguments.of("'metrics':[{'name':'a'}]", "guard.metrics[0] was name" + kinds),
                Arguments.of("'onBreach':'back'", "guard.onBreach was back, but must be one of abort, step-back"),
                Arguments.of("'onHold':'go'", "guard.onHold was go, but must be one of pause, abort, wait"),
                Arguments.of("'mostStepBacks':11", "guard.mostStepBacks was 11, but must be within 1..10"),
                Arguments.of("'holdLimit':'31d'", "guard.holdLimit was 31d, but must be within 1s..30d"),
                Arguments.of(
                        "'window':'5s'",
                        "guard.window was 5s, but must be within 10s..24h, or left out for the" + " whole stage"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refusedGuards")
    void whatAGuardCannotBeIsRefusedByName(String fields, String problem) {
        assertThat(problemsOf(withGuard(fields))).extracting(Problem::toString).containsExactly(problem);
    }

    /** Everything that can be found apart is found together, the order of the stages too. */
    @Test
    void theOrderOfStagesIsRefusedBesideAllElse() {
        List<Problem> problems = problemsOf("""
                {"id":"R","version":"v2","services":["a"],
                 "plan":{"stages":[{"percent":10,"hold":"1m"},{"percent":5,"hold":"1m"},{"percent":100,"hold":"1m"}],
                         "pace":"x","colour":1},
                 "guard":{"minSamples":0,"maxErrorRate":2,"maxP99":"300ms","baseline":{"alpha":0},
                          "metrics":[{"name":"A","query":"","max":"x"},{"name":"b","query":"q","max":1},
                                     {"name":"b","query":"q","max":1}],"mostStepBacks":0,"onHold":"x"}}
                """);

        assertThat(problems)
                .extracting(Problem::path)
                .containsExactlyInAnyOrder(
                        "id",
                        "plan.stages[1].percent",
                        "plan.pace",
                        "plan.colour",
                        "guard.minSamples",
                        "guard.maxErrorRate",
                        "guard.baseline.alpha",
                        "guard.metrics[0].name",
                        "guard.metrics[0].max",
                        "guard.metrics[2].name",
                        "guard.mostStepBacks",
                        "guard.onHold");
    }

    private static String withPlan(String plan) {
        return """
                {"id":"r","version":"v2","services":["a"],"allow":["vip-1"],"plan":%s,
                 "guard":{"minSamples":100,"maxErrorRate":0.02,"maxP99":"300ms"}}
                """.formatted(plan.replace('\'', '"'));
    }

    private static String withGuard(String fields) {
        return """
                {"id":"r","version":"v2","services":["a"],
                 "guard":{"minSamples":100,"maxErrorRate":0.02,"maxP99":"300ms",%s}}
                """.formatted(fields.replace('\'', '"'));
    }

    private static ReleaseRequest readRequest(String json) {
        return ReleaseSpecJson.readRequest(json.getBytes(UTF_8));
    }

    private static List<Problem> problemsOf(String json) {
        return catchThrowableOfType(RefusedException.class, () -> readRequest(json))
                .problems();
    }
}
