package io.sluice.server.console;

import static io.sluice.server.console.Browser.css;
import static io.sluice.server.console.Browser.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Api;
import io.sluice.server.LocalServer;
import io.sluice.testing.NeedsProgram;
import io.sluice.testing.Requirement;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The console as an operator meets it: the real page of a real server in a real browser. */
@NeedsProgram(
        value = {Browser.CHROMIUM, Browser.DRIVER},
        install = "apt-get install chromium chromium-driver")
class ConsoleBrowserTest {
    private static final List<String> PAYLOADS = List.of(
            "<script>window.__xss = 1</script>",
            "<img src=x onerror=\"window.__xss = 1\">",
            "</bdi></p><svg onload=window.__xss=1>",
            "\"><iframe srcdoc=\"<script>parent.__xss = 1</script>\"></iframe>",
            "' autofocus onfocus='window.__xss = 1",
            "<a href=\"javascript:window.__xss=1\">look</a>",
            "${window.__xss = 1} {{constructor.constructor('window.__xss = 1')()}}",
            "&lt;script&gt;window.__xss = 1&lt;/script&gt;");

    @TempDir
    private static Path profile;

    private static Browser browser;

    private final Api api = LocalServer.api();
    private final String id = LocalServer.name("shown");
    private final String orders = LocalServer.name("orders");
    private final String payments = LocalServer.name("payments");
    private final String gateway = LocalServer.name("gateway");

    @BeforeAll
    static void startBrowser() {
        browser = Browser.start(profile);
    }

    @AfterAll
    static void endBrowser() {
        browser.close();
    }

    /** The only live one, which the console shows first; other tests left theirs. */
    @BeforeEach
    void rampingRelease() {
        api.get("/api/v1/releases")
                .body()
                .path("releases")
                .valueStream()
                .filter(release -> !release.path("phase").asString().equals("aborted"))
                .forEach(release -> api.post(
                        "/api/v1/releases/" + release.path("id").asString() + "/abort", "{\"why\":\"left over\"}"));
        create(id, "salt");
        assertThat(command("start", "go").status()).isEqualTo(200);
    }

    @AfterEach
    void endRelease() {
        command("abort", "the test is over");
    }

    @Test
    void thePrintedLinkSignsInAndLeavesNoTokenInTheAddress() {
        browser.open(api.server() + "/#token=" + api.token());

        eventually().until(() -> browser.text("release-id").equals(id));
        eventually().until(() -> browser.text("who").equals("Signed in as setup"));
        assertThat(browser.shows("sign-in")).isFalse();
        assertThat(browser.address()).isEqualTo(api.server() + "/console/");
        assertThat(browser.console()).isEmpty();
        browser.run("history.back()");
        eventually().until(() -> !browser.address().startsWith(api.server().toString()));
    }

    @Test
    void aWrongTokenIsRefused() {
        browser.open(api.server() + "/");

        browser.type("token", "a-token-that-nobody-gave");
        browser.click("sign-in");

        eventually().until(() -> browser.text("sign-in-problem").equals("The server does not know this token."));
        assertThat(browser.shows("release-id")).isFalse();
        assertThat(browser.shows("who")).isFalse();
        eventually()
                .untilAsserted(() ->
                        assertThat(browser.console()).singleElement().asString().contains("/api/v1/whoami", "401"));
    }

    @Test
    @Requirement("J1")
    void bothLanesAreShownLive() {
        openRelease();
        eventually().until(() -> browser.text("verdict").contains("Hold"));

        report(gateway, "stable", 900, 0);
        report(gateway, "canary", 100, 1);
        List.of(orders, payments).forEach(service -> {
            report(service, "stable", 900, 9);
            report(service, "canary", 100, 1);
        });

        eventually().until(() -> browser.attribute("health", "data-health").equals("HEALTHY"));
        assertThat(browser.attribute("phase", "data-phase")).isEqualTo("ramping");
        assertThat(browser.attribute("stage", "data-percent")).isEqualTo("10");
        assertThat(browser.text("stage")).isEqualTo("Stage 1 of 2, 10 %");
        assertThat(browser.text("split")).isEqualTo("10 % seen at " + gateway + " on this step");
        assertThat(browser.text("gauge-errorRate")).contains("1 %").contains("at most 2 %");
        assertThat(numbers(gateway, "stable")).isEqualTo("900 90 % 0 0 % 11");
        assertThat(numbers(gateway, "canary")).isEqualTo("100 10 % 1 1 % 11");
        for (String service : List.of(orders, payments)) {
            assertThat(numbers(service, "stable")).isEqualTo("900 90 % 9 1 % 11");
            assertThat(numbers(service, "canary")).isEqualTo("100 10 % 1 1 % 11");
        }
    }

    @Test
    @Requirement("J1")
    void theCurvesOfTheChosenServiceGetPoints() {
        openRelease();
        report(orders, "stable", 900, 9);
        report(orders, "canary", 100, 1);

        browser.choose("service", orders);

        for (String chart : List.of("requests", "errors", "latency")) {
            eventually().untilAsserted(() -> {
                assertThat(curve(chart, "stable")).startsWith("M");
                assertThat(curve(chart, "canary")).startsWith("M");
            });
        }
    }

    @Test
    @Requirement("J1")
    void theEvidenceOfEachMetricIsShownOnItsWayToTheThreshold() {
        openRelease();

        answers("""
                {"verdict": {"health": "BREACH", "reason": "errors=x5 of stable", "service": "%s", "samples": 500,
                  "failures": 9, "errorRate": 0.018, "p99Millis": 11, "findings": [
                    {"reporter": "(edges)", "metric": "errors", "critical": true, "health": "HEALTHY", "reason": "",
                     "canary": 1000, "canaryBad": 4, "stable": 9000, "stableBad": 31, "value": 10, "limit": 10000},
                    {"reporter": "(edges)", "metric": "sample_ratio", "critical": true, "health": "HEALTHY",
                     "reason": "", "canary": 1000, "canaryBad": 0, "stable": 9000, "stableBad": 0, "value": 0.003,
                     "limit": 10000},
                    {"reporter": "%s", "metric": "errors", "critical": true, "health": "BREACH", "reason": "",
                     "canary": 500, "canaryBad": 9, "stable": 4500, "stableBad": 16, "value": 1e300, "limit": 10000},
                    {"reporter": "%s", "metric": "slower_p99", "critical": false, "health": "BREACH", "reason": "",
                     "canary": 500, "canaryBad": 20, "stable": 4500, "stableBad": 45, "value": 100, "limit": 10000},
                    {"reporter": "prometheus", "metric": "heap_mb", "critical": false, "health": "HEALTHY",
                     "reason": "", "canary": 0, "canaryBad": 0, "stable": 0, "stableBad": 0, "value": 200, "limit": 800},
                    {"reporter": "prometheus", "metric": "orders", "critical": false, "health": "HEALTHY",
                     "reason": "", "canary": 0, "canaryBad": 0, "stable": 0, "stableBad": 0, "value": null,
                     "limit": null}]},
                 "guard": {"minSamples": 10, "maxErrorRate": 0.02, "maxP99": "300ms",
                  "metrics": [{"name": "heap_mb", "query": "heap", "max": 800}]}}
                """.formatted(orders, orders, orders), "{}");

        eventually().until(() -> browser.texts(css("finding")).size() == 6);
        assertThat(finding("(edges)", "errors")).contains("4 / 1,000 31 / 9,000", "10 of 10,000", "critical");
        assertThat(finding("(edges)", "sample_ratio")).contains("1,000 9,000", "< 0.01 of 10,000");
        assertThat(finding(orders, "errors")).contains("9 / 500 16 / 4,500", "> 10⁶ of 10,000");
        assertThat(finding(orders, "slower_p99")).contains("100 of 10,000", "shown");
        assertThat(finding("prometheus", "heap_mb")).contains("– – 200 of 800");
        assertThat(finding("prometheus", "orders")).contains("– – –");
        assertThat(bar("(edges)", "errors")).isEqualTo("25%");
        assertThat(bar("(edges)", "sample_ratio")).isEqualTo("0%");
        assertThat(bar(orders, "errors")).isEqualTo("100%");
        assertThat(bar(orders, "slower_p99")).isEqualTo("50%");
        assertThat(bar("prometheus", "heap_mb")).isEqualTo("25%");
        assertThat(browser.texts(css("finding") + " .reached")).containsExactly("> 10⁶ of 10,000");
    }

    @ParameterizedTest(name = "{0}")
    @Requirement("J1")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            too few  | insufficient_samples  | 17  |            | 17 of 30 samples for order | `order 已有 17 个，需要 30 个`
            unproved | insufficient_samples  | 500 |            | it is not shown yet for order that the error rate is under 2 %. | `尚不能证明 order 的错误率低于 2%`
            no other | no_baseline           | 500 |            | order has no stable traffic to compare with. | `order 没有可供比较的稳定流量`
            share    | sample_ratio_mismatch | 500 | "canary": 40, "stable": 960, "reason": "?" | at order, canary has 4 % of the customers where 10 % is asked. | `金丝雀有 4% 的客户，而要求是 10%`
            constant | sample_ratio_mismatch | 500 | "canary": 1, "stable": 0, "reason": "9000 requests come from 1 customers" | at order, 9000 requests come from 1 customers | `9000 requests come from 1 customers`
            source   | source_error          | 500 | "reason": "connection refused" | heap_mb has no answer. connection refused | `指标 heap_mb 没有答案`
            """)
    void everyReasonToHoldIsSaidInWords(
            String name, String reason, long samples, String finding, String words, String chinese) {
        openRelease();
        String metric = reason.equals("source_error") ? "heap_mb" : "sample_ratio";
        String findings = finding == null
                ? ""
                : "{\"reporter\": \"order\", \"metric\": \"" + metric + "\", \"critical\": true, \"health\": \"HOLD\", "
                        + finding + "}";

        answers("""
                {"verdict": {"health": "HOLD", "reason": "%s", "service": "order", "samples": %d, "failures": 0,
                  "errorRate": 0, "p99Millis": 11, "findings": [%s]},
                 "plan": {"pace": "evidence",
                  "stages": [{"percent": 10, "hold": "10m", "samples": 30}, {"percent": 100, "hold": "10m"}]}}
                """.formatted(reason, samples, findings), "{}");

        eventually()
                .untilAsserted(() -> assertThat(plain(browser.text("next")))
                        .startsWith("Holding: " + reason)
                        .contains(words));
        assertThat(browser.text("gauge-samples")).contains("at least 30", samples < 30 ? "too few" : "met");
        browser.click("language");
        eventually()
                .untilAsserted(
                        () -> assertThat(browser.text("next")).startsWith("保持：").contains(chinese, reason));
        browser.click("language");
    }

    @Test
    void stepsBackAreCountedAgainstTheMostThereMayBe() {
        openRelease();
        assertThat(browser.shows("step-backs")).isFalse();

        answers("""
                {"stepBacks": 1, "stage": 1, "verdict": {"health": "BREACH", "reason": "slow=x5", "service": "",
                  "samples": 50, "failures": 0, "errorRate": 0, "p99Millis": 11},
                 "guard": {"minSamples": 10, "maxErrorRate": 0.02, "maxP99": "300ms", "onBreach": "step-back",
                  "mostStepBacks": 2}}
                """, "{}");

        eventually().until(() -> browser.text("step-backs").equals("1 of 2"));
        assertThat(browser.text("next")).isEqualTo("Breach: slow=x5. The guard takes it one stage back.");
    }

    @Test
    void afterAnAbortAStageThatWasPassedIsNotAhead() {
        report(orders, "stable", 900, 9);
        report(orders, "canary", 100, 1);
        openRelease();
        assertThat(states()).containsExactly("current", "ahead");

        command("promote", "all is well");
        eventually().untilAsserted(() -> assertThat(states()).containsExactly("passed", "current"));
        eventually()
                .untilAsserted(() -> assertThat(browser.texts(css("track") + " .stage-seen"))
                        .extracting(ConsoleBrowserTest::plain)
                        .containsExactly("10 % seen"));
        command("abort", "it was not");

        eventually().untilAsserted(() -> assertThat(states()).containsExactly("passed", "ended"));
        assertThat(plain(browser.text("stage"))).isEqualTo("Aborted on stage 2 of 2, 0 % on canary");
    }

    @Test
    void afterAnAbortAStageThatWasNeverReachedIsNotPassed() {
        openRelease();

        command("abort", "at once");

        eventually().untilAsserted(() -> assertThat(states()).containsExactly("ended", "unreached"));
        assertThat(plain(browser.text("stage"))).isEqualTo("Aborted on stage 1 of 2, 0 % on canary");
    }

    @Test
    @Requirement("F22")
    void afterAnAbortWhoHasNotAppliedItIsNamedUntilNobodyIs() {
        openRelease();
        answers("{\"unapplied\": [\"order@10.0.0.7:8080\"], \"unreached\": [\"order@10.0.0.7:8080\"]}", "{}");
        eventually().until(() -> browser.shows("unreached"));
        assertThat(browser.shows("unapplied")).isFalse();

        command("abort", "at once");

        eventually().until(() -> browser.shows("unapplied"));
        assertThat(plain(browser.text("unapplied"))).contains("The abort is not complete", "order@10.0.0.7:8080");
        answers("{\"unapplied\": [], \"unreached\": []}", "{}");
        eventually().until(() -> !browser.shows("unapplied") && !browser.shows("unreached"));
    }

    @Test
    void afterAnAbortTheEvidenceOfTheLastStageStays() {
        openRelease();
        command("abort", "at once");
        answers("{}", """
                {"stages": [{"step": 1, "percent": 10, "evidence": [{"reporter": "order", "metric": "errors",
                  "critical": true, "limit": 10000, "canary": 500, "canaryBad": 9, "stable": 4500, "stableBad": 16,
                  "value": 20000, "points": []}]}]}
                """);

        eventually().until(() -> browser.attribute("phase", "data-phase").equals("aborted"));
        eventually().untilAsserted(() -> assertThat(finding("order", "errors")).contains("20,000 of 10,000"));
    }

    @Test
    void theReportCanBeSaved() {
        openRelease();
        browser.run("URL.createObjectURL = blob => { blob.text().then(it => window.__saved = it); return '#saved'; }");

        browser.click("report");

        eventually()
                .untilAsserted(() -> assertThat(browser.run("return window.__saved ?? ''"))
                        .asString()
                        .contains("\"id\": \"" + id + "\"", "\"stages\"", "\"journal\""));
        assertThat(browser.attribute("report", "title")).endsWith("sluice release report " + id + " --format html");
    }

    @Test
    @Requirement("C8")
    void anAbortWantsToBeConfirmedWithAReason() {
        openRelease();

        browser.click("command-abort");
        eventually().until(() -> browser.shows("dialog"));
        browser.click("confirm");

        eventually().until(() -> browser.texts(css("problem")).equals(List.of("Say why.")));
        assertThat(phase()).isEqualTo("ramping");

        browser.type("why", "the basket loses things");
        browser.click("confirm");

        eventually().until(() -> browser.attribute("phase", "data-phase").equals("aborted"));
        assertThat(browser.shows("dialog")).isFalse();
        assertThat(phase()).isEqualTo("aborted");
        eventually()
                .until(() -> browser.texts(css("journal-entry") + "[data-action=abort]").stream()
                        .anyMatch(entry -> entry.contains("setup") && entry.contains("the basket loses things")));
        assertThat(journal())
                .filteredOn(entry -> entry.path("action").asString().equals("abort"))
                .singleElement()
                .satisfies(entry -> {
                    assertThat(entry.path("actor").asString()).isEqualTo("setup");
                    assertThat(entry.path("why").asString()).isEqualTo("the basket loses things");
                });
    }

    @Test
    @Requirement("C8")
    void anAbortThatIsCalledOffAbortsNothing() {
        openRelease();

        browser.click("command-abort");
        eventually().until(() -> browser.shows("dialog"));
        browser.type("why", "the wrong button");
        browser.click("cancel");

        eventually().until(() -> !browser.shows("dialog"));
        browser.click("command-pause");
        browser.type("why", "the right one");
        browser.click("confirm");
        eventually().until(() -> browser.attribute("phase", "data-phase").equals("paused"));
        assertThat(journal())
                .extracting(entry -> entry.path("action").asString())
                .contains("pause")
                .doesNotContain("abort");
    }

    @Test
    @Requirement("T9")
    void whatOthersWroteIsShownAsTextAndRunsNothing() {
        command("abort", "it makes room for one with a hostile salt");
        String hostile = LocalServer.name("hostile");
        create(hostile, PAYLOADS.get(1));
        command(hostile, "start", PAYLOADS.get(0));
        for (String payload : PAYLOADS) {
            assertThat(command(hostile, "pause", payload).status()).isEqualTo(200);
            assertThat(command(hostile, "resume", payload).status()).isEqualTo(200);
        }
        command(hostile, "abort", PAYLOADS.get(2));

        browser.open(api.server() + "/#token=" + api.token() + "&release=" + hostile);

        eventually().until(() -> browser.text("next").equals("Aborted by setup: " + PAYLOADS.get(2)));
        assertThat(browser.texts(css("journal-entry") + " .entry-why")).containsAll(PAYLOADS);
        assertThat(browser.run("return document.querySelector('details').textContent")
                        .toString())
                .contains(PAYLOADS.get(1));
        assertThat(browser.all("main script, main img, main iframe, main a")).isEmpty();
        assertThat(browser.run("return typeof window.__xss")).isEqualTo("undefined");
        assertThat(browser.console()).isEmpty();
    }

    @Test
    @Requirement("T9")
    void thePolicyOfThePageIsInForce() {
        openRelease();

        Object refused = browser.run("try { document.body.innerHTML = '<img src=x onerror=\"window.__xss = 1\">'; }"
                + " catch (refusal) { return refusal.name; }");
        browser.run("const image = new Image(); image.src = 'data:image/gif;base64,'; document.body.append(image);");

        assertThat(refused).isEqualTo("TypeError");
        assertThat(browser.run("return typeof window.__xss")).isEqualTo("undefined");
        eventually()
                .untilAsserted(() -> assertThat(browser.console())
                        .anyMatch(line -> line.contains("Content Security Policy") && line.contains("data:image/gif")));
    }

    @Test
    @Requirement("T8")
    void noOtherPageMayFrameTheConsole() {
        browser.open(api.server() + "/schema/release.json");

        browser.run("const frame = document.createElement('iframe'); frame.src = '/console/';"
                + " document.body.append(frame);");

        eventually()
                .untilAsserted(() -> assertThat(browser.console()).anyMatch(line -> line.contains("frame-ancestors")));
    }

    private void openRelease() {
        browser.open(api.server() + "/#token=" + api.token() + "&release=" + id);
        eventually().until(() -> browser.text("release-id").equals(id));
    }

    /** From now on the server's answers about this release and its report have these members besides. */
    private void answers(String release, String report) {
        browser.run("""
                const real = window.__fetch ??= window.fetch;
                const merged = (body, path) => path.endsWith('/report')
                    ? Object.assign(body, %3$s)
                    : {...body, releases: body.releases.map(it => it.id === '%1$s' ? Object.assign(it, %2$s) : it)};
                window.fetch = async (address, request) => {
                  const response = await real(address, request);
                  const path = new URL(address).pathname;
                  return path.endsWith('/releases') || path.endsWith('/report')
                      ? new Response(JSON.stringify(merged(await response.json(), path)), {status: response.status})
                      : response;
                };
                """.formatted(id, release, report));
    }

    private String finding(String reporter, String metric) {
        return String.join(" ", browser.texts(row(reporter, metric) + " td")).replace('\n', ' ');
    }

    private String bar(String reporter, String metric) {
        Object part = browser.run(
                "return document.querySelector(\"" + row(reporter, metric) + " .evidence-fill\").style.inlineSize");
        return part.toString();
    }

    private static String row(String reporter, String metric) {
        return css("finding") + "[data-reporter='" + reporter + "'][data-metric='" + metric + "']";
    }

    /** How the stages stand, from the first to the last. */
    private List<String> states() {
        return browser.all(css("track") + " li").stream()
                .map(stage -> stage.getDomAttribute("data-state"))
                .toList();
    }

    /** With spaces that may be broken at. */
    private static String plain(String text) {
        return text.replace('\u00a0', ' ');
    }

    /** A row of the numbers, without the names of its service and lane. */
    private String numbers(String service, String lane) {
        String row = "tr[data-service=" + service + "][data-lane=" + lane + "]";
        return String.join(" ", browser.texts(css("numbers") + " " + row + " td.number"));
    }

    /** What the line of a lane is drawn as; empty while there is none. */
    private String curve(String chart, String lane) {
        return browser.all(css("chart-" + chart) + " .plot path.line." + lane).stream()
                .findFirst()
                .map(line -> line.getDomAttribute("d"))
                .orElse("");
    }

    private void create(String release, String salt) {
        String body = """
                {"id":"%s","version":"v2","services":["%s","%s"],"salt":%s,
                 "plan":{"stages":[{"percent":10,"hold":"10m"},{"percent":100,"hold":"10m"}]},
                 "guard":{"minSamples":10,"maxErrorRate":0.02,"maxP99":"300ms"}}
                """.formatted(release, orders, payments, json(salt));
        assertThat(api.post("/api/v1/releases", body).status()).isEqualTo(201);
    }

    private void report(String service, String lane, long count, long failed) {
        long sequence = lane.equals("stable") ? 1 : 2;
        api.post("/api/v1/observations", Api.batch(service, sequence, id, 1, lane, count, failed));
    }

    private Api.Answer command(String command, String why) {
        return command(id, command, why);
    }

    private Api.Answer command(String release, String command, String why) {
        return api.post("/api/v1/releases/" + release + "/" + command, "{\"why\":" + json(why) + "}");
    }

    private static String json(String text) {
        return new JsonMapper().writeValueAsString(text);
    }

    private String phase() {
        return api.get("/api/v1/releases/" + id).body().path("phase").asString();
    }

    private List<JsonNode> journal() {
        return api.get("/api/v1/releases/" + id + "/journal")
                .body()
                .path("entries")
                .valueStream()
                .toList();
    }
}
