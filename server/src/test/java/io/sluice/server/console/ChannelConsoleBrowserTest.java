package io.sluice.server.console;

import static io.sluice.server.console.Browser.css;
import static io.sluice.server.console.Browser.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.tag.Color;
import io.sluice.server.Api;
import io.sluice.server.LocalServer;
import io.sluice.server.channels.Samples;
import io.sluice.server.channels.SimulatedShop;
import io.sluice.testing.NeedsProgram;
import io.sluice.testing.Requirement;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.WebElement;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Releases of channels in the console, with processes that do what the rules say. */
@NeedsProgram(
        value = {Browser.CHROMIUM, Browser.DRIVER},
        install = "apt-get install chromium chromium-driver")
class ChannelConsoleBrowserTest {
    private static final String HOSTILE = "<img src=x onerror=\"window.__xss = 1\">";

    @TempDir
    private static Path profile;

    private static Browser browser;

    private final Api api = LocalServer.api();
    private final String channel = LocalServer.name("trade");
    private final String id = LocalServer.name("trade-release");
    private final String order = LocalServer.name("order");
    private final SimulatedShop shop = new SimulatedShop(LocalServer::api, channel, order);

    @BeforeAll
    static void startBrowser() {
        browser = Browser.start(profile);
    }

    @AfterAll
    static void endBrowser() {
        browser.close();
    }

    @BeforeEach
    void createChannel() {
        String document = "{\"id\":\"" + channel + "\",\"services\":[\"" + order + "\"]}";
        assertThat(api.post("/api/v1/channels", document).status()).isEqualTo(201);
        eventually()
                .until(() -> api.get("/api/v1/channels/" + channel)
                                .body()
                                .path("sides")
                                .get(0)
                                .path("instances")
                                .size()
                        == 2);
    }

    @AfterEach
    void endRelease() {
        command("abort", "the test is over");
        shop.close();
    }

    @Test
    @Requirement({"C4", "J1"})
    void thePhasesAndBothColorsAreShownLive() {
        create();
        openRelease();
        assertThat(browser.text("strategy")).isEqualTo("Blue-green");
        assertThat(browser.texts(css("release") + "[data-release=" + id + "] " + css("release-kind")))
                .containsExactly("Blue-green · " + channel);
        assertThat(current()).containsExactly("draft");

        command("start", "go");

        eventually().untilAsserted(() -> assertThat(current()).containsExactly("deploying blue"));
        assertThat(browser.texts(css("stations") + " [data-station='draining blue']"))
                .singleElement()
                .asString()
                .contains("Draining", "blue", "done");
        assertThat(browser.attribute("phase", "data-phase")).isEqualTo("deploying");
        assertThat(browser.text("phase")).isEqualTo("Deploying blue");
        assertThat(browser.attribute("no-return", "data-state")).isEqualTo("ahead");
        assertThat(browser.attribute("way-back", "data-open")).isEqualTo("true");
        assertThat(browser.text("waiting")).contains("promote, when it is done");
        assertThat(browser.attribute("shares", "data-blue")).isEqualTo("0");
        assertThat(browser.text("side-blue")).contains("Blue", "v1", "its turn", "not registered");
        assertThat(plain(browser.text("side-green"))).contains("Green", "100 %", "v1", "ready");

        shop.deploy(Color.BLUE, "v2");
        promoteTo("verifying");
        promoteTo("admitting");

        eventually().untilAsserted(() -> assertThat(current()).containsExactly("admitting blue"));
        eventually().until(() -> browser.attribute("shares", "data-blue").equals("10"));
        assertThat(plain(browser.text("stage"))).isEqualTo("Stage 1 of 2 of blue, 10 %");
        assertThat(plain(browser.text("side-blue"))).contains("10 %", "v2");
        eventually().until(() -> browser.attribute("health", "data-health").equals("HEALTHY"));
        eventually().until(() -> rateOf(order + "@green:1") > 0);
        assertThat(browser.texts(css("numbers") + " td.lane")).containsExactlyInAnyOrder("Blue", "Green");
        assertThat(browser.text("crossed")).startsWith("No request");
        assertThat(browser.console()).isEmpty();
    }

    @Test
    @Requirement({"C3", "J1"})
    void aWatchedRollingReleaseShowsItsVerdictAndBothVersions() {
        assertThat(api.post("/api/v1/releases", Samples.guardedRolling(id, channel, 2))
                        .status())
                .isEqualTo(201);
        openRelease();
        command("start", "go");
        eventually().until(() -> browser.text("phase").contains("Deploying"));
        assertThat(browser.text("verdict")).contains("nothing is judged in this phase");
        shop.breakVersion("v2");
        shop.deploy(Set.of(order + "@blue:1", order + "@green:1"), "v2");

        command("promote", "deployed");

        eventually().until(() -> browser.attribute("health", "data-health").equals("BREACH"));
        eventually().until(() -> browser.text("next").contains("batch 1 gets its old version"));
        eventually().until(() -> browser.texts(css("numbers") + " td.lane").contains("Stable"));
        assertThat(browser.console()).isEmpty();
    }

    @Test
    @Requirement({"C4", "C8"})
    void whoPassesThePointOfNoReturnHasBeenTold() {
        create();
        admit();
        openRelease();
        promoteTo("admitting");
        promoteTo("confirming");
        eventually().untilAsserted(() -> assertThat(current()).containsExactly("confirming"));
        assertThat(browser.text("next")).contains("Last stop before the point of no return");
        eventually().until(() -> browser.text("announcer").contains("point of no return"));

        browser.click("command-promote");
        eventually().until(() -> browser.text("effect").contains("there is no way back"));
        browser.type("why", "all is well");
        browser.click("confirm");

        eventually().until(() -> browser.texts(css("problem")).size() == 1);
        assertThat(browser.text("problem")).contains("there is no way back afterwards");
        assertThat(view().path("phase").asString()).isEqualTo("confirming");

        browser.click("no-return-seen");
        browser.click("confirm");

        eventually().untilAsserted(() -> assertThat(current()).containsExactly("deploying green"));
        assertThat(browser.attribute("no-return", "data-state")).isEqualTo("passed");
        assertThat(browser.attribute("way-back", "data-open")).isEqualTo("false");
        assertThat(browser.text("way-back")).startsWith("Way back: no.").contains("green's deployment has begun");
        assertThat(browser.attribute("command-abort", "disabled")).isNotNull();
    }

    @Test
    @Requirement({"C4", "F49"})
    void anAbortWithoutAWayBackShowsTheWholeRefusal() {
        create();
        admit();
        openRelease();
        shop.ready(Color.GREEN, false);
        eventually().until(() -> browser.attribute("way-back", "data-open").equals("false"));
        eventually().until(() -> browser.text("side-green").contains("not ready"));

        browser.click("command-abort");
        eventually().until(() -> browser.text("effect").contains("It will be refused"));
        browser.type("why", "wrong totals");
        browser.click("confirm");

        eventually()
                .untilAsserted(() -> assertThat(browser.texts(css("problem")))
                        .hasSize(2)
                        .first()
                        .isEqualTo("Refused: there is no way back now. Traffic is as it was."));
        assertThat(browser.texts(css("problem")).get(1))
                .startsWith("NO_WAY_BACK: ")
                .contains(order, "0 of 1 green instances", "is not ready");
        assertThat(browser.attribute("shares", "data-blue")).isEqualTo("10");
        assertThat(view().path("phase").asString()).isEqualTo("admitting");
    }

    @Test
    @Requirement("C8")
    void anAbortShowsTheWayBack() {
        create();
        admit();
        openRelease();

        browser.click("command-abort");
        browser.type("why", "wrong totals");
        browser.click("confirm");

        eventually().until(() -> browser.attribute("phase", "data-phase").equals("returned"));
        eventually().until(() -> browser.attribute("shares", "data-blue").equals("0"));
        assertThat(browser.text("next")).startsWith("Aborted: wrong totals.");
        eventually()
                .untilAsserted(() -> assertThat(browser.texts(css("stations-back") + " [aria-current]"))
                        .singleElement()
                        .asString()
                        .contains("Returned", "now"));
        assertThat(stateOf("admitting blue")).isEqualTo("passed");
        assertThat(stateOf("confirming")).isEqualTo("unreached");
    }

    @Test
    @Requirement({"J1", "J2"})
    void anImbalanceIsShownWithItsNumberAndAProcessThatIsSilentByName() {
        create();
        admit();
        openRelease();

        // Its planned share is a half of green's 90 %, and it gets nearly all.
        shop.load(order + "@green:1", 200);
        eventually()
                .untilAsserted(() -> assertThat(browser.texts(block(order + "@green:1") + " " + css("imbalance")))
                        .singleElement()
                        .asString()
                        .matches("[12]\\.\\dx its share"));
        shop.silence(order + "@blue:2");

        eventually().until(() -> browser.shows("unreached"));
        assertThat(browser.text("unreached")).contains(order + "@blue:2");
        assertThat(browser.texts(block(order + "@blue:2")))
                .singleElement()
                .asString()
                .contains("unreached");

        browser.click("channels-button");
        eventually().until(() -> browser.shows("channels-title"));
        eventually()
                .untilAsserted(() -> assertThat(browser.texts(
                                css("process") + "[data-reached=false][data-instance='" + order + "@blue:2']"))
                        .singleElement()
                        .asString()
                        .contains("unreached for", "blue"));
    }

    @Test
    @Requirement("J1")
    void channelsAndProcessesAreListed() {
        browser.open(api.server() + "/#token=" + api.token() + "&channels");
        eventually().until(() -> browser.texts(card()).size() == 1);
        assertThat(browser.texts(card()).get(0)).contains(channel, order, "Not in release", "Blue", "Green", "v1");
        assertThat(browser.texts(process(order + "@blue:1")))
                .singleElement()
                .asString()
                .contains("blue", "v1", "ready");

        create();
        command("start", "go");
        eventually()
                .until(() ->
                        browser.texts(card() + " " + css("channel-release")).equals(List.of(id)));
        browser.all(card() + " " + css("channel-release")).get(0).click();

        eventually().until(() -> browser.text("release-id").equals(id));
        assertThat(browser.address()).endsWith("#release=" + id);
        assertThat(browser.console()).isEmpty();
    }

    /** The server takes no such names; should it ever, they are text. What a process says of its rules is free. */
    @Test
    @Requirement("T9")
    void hostileNamesAreText() {
        create();
        command("start", HOSTILE);
        String process = LocalServer.name("gateway") + "@here";
        assertThat(api.withToken("")
                        .post("/api/v1/workloads", hostileReport(process))
                        .status())
                .isEqualTo(204);
        openRelease();
        eventually().untilAsserted(() -> assertThat(browser.text("refusals")).contains(process, HOSTILE));

        answersAreHostile();

        eventually()
                .untilAsserted(() -> assertThat(browser.text("unreached"))
                        .isEqualTo("Unreached, so that nothing is known of them:\n" + HOSTILE));
        assertThat(browser.text("side-blue")).contains(HOSTILE);
        assertThat(browser.text("waiting")).isEqualTo(HOSTILE);
        assertThat(browser.text("way-back")).contains(HOSTILE);
        browser.click("channels-button");
        eventually()
                .untilAsserted(() -> assertThat(browser.texts(css("channel")))
                        .first()
                        .asString()
                        .startsWith(HOSTILE));
        assertThat(browser.texts(css("process"))).first().asString().startsWith(HOSTILE);
        assertThat(browser.all("main img, main script, main b b")).isEmpty();
        assertThat(browser.run("return typeof window.__xss")).isEqualTo("undefined");
        assertThat(browser.console()).isEmpty();
        assertThat(api.delete("/api/v1/workloads/" + process).status()).isEqualTo(204);
    }

    @Test
    void itIsWholeOnASmallScreenAndInChinese() {
        create();
        admit();
        openRelease();

        browser.resize(500, 1600);
        eventually().untilAsserted(() -> assertThat(overflow()).isZero());
        browser.click("language");

        eventually().until(() -> browser.text("phase").equals("蓝色放量"));
        assertThat(browser.text("no-return")).isEqualTo("不可回退点");
        assertThat(browser.text("side-green")).contains("绿色");
        assertThat(overflow()).isZero();
        browser.click("channels-button");
        eventually().until(() -> browser.text("channels-title").equals("通道"));
        assertThat(overflow()).isZero();
        browser.click("language");
    }

    private void openRelease() {
        browser.open(api.server() + "/#token=" + api.token() + "&release=" + id);
        eventually().until(() -> browser.text("release-id").equals(id));
    }

    private void create() {
        assertThat(api.post("/api/v1/releases", Samples.blueGreen(id, channel, "10m"))
                        .status())
                .isEqualTo(201);
    }

    /** Up to the first stage of blue. */
    private void admit() {
        assertThat(command("start", "go").status()).isEqualTo(200);
        awaitPhase("deploying");
        shop.deploy(Color.BLUE, "v2");
        promoteTo("verifying");
        promoteTo("admitting");
    }

    /** As soon as what runs allows it. */
    private void promoteTo(String phase) {
        eventually().until(() -> command("promote", "on").status() == 200);
        awaitPhase(phase);
    }

    private void awaitPhase(String phase) {
        eventually().until(() -> view().path("phase").asString().equals(phase));
    }

    private Api.Answer command(String command, String why) {
        return api.post("/api/v1/releases/" + id + "/" + command, "{\"why\":" + json(why) + "}");
    }

    private JsonNode view() {
        return api.get("/api/v1/releases/" + id).body();
    }

    private static String hostileReport(String process) {
        return """
                {"service":"gateway","instance":"%s","version":"v1","ready":true,"registered":true,"requests":0,
                 "underWay":0,"crossed":0,"epoch":1,"revision":1,"refusal":%s}
                """.formatted(process, json(HOSTILE));
    }

    /** From now on every name in the server's answers is a hostile one. */
    private void answersAreHostile() {
        browser.run("""
                const real = window.fetch;
                const bad = %s;
                const side = {color: 'blue', share: 10, versions: [bad, 'v1'], instances: [{service: bad, instance: bad,
                  version: bad, ready: true, registered: true, reached: true, requestsPerSecond: 1, imbalance: 4}]};
                window.fetch = async (address, request) => {
                  const response = await real(address, request);
                  const body = await response.json();
                  (body.releases ?? []).forEach(it => Object.assign(it, {sides: [side], unreached: [bad], waitingFor: [bad],
                    wayBack: false, wayBackWhy: bad, channel: bad, deployer: bad, version: bad}));
                  (body.channels ?? []).forEach(it => Object.assign(it, {id: bad, services: [bad], sides: [side]}));
                  (body.workloads ?? []).forEach(it => Object.assign(it, {instance: bad, version: bad, refusal: bad}));
                  return new Response(JSON.stringify(body), {status: response.status});
                };
                """.formatted(json(HOSTILE)));
    }

    private static String json(String text) {
        return new JsonMapper().writeValueAsString(text);
    }

    /** The stations where the release is now; one. */
    private List<String> current() {
        return browser.all(css("stations") + " [aria-current=step]").stream()
                .map(station -> station.getDomAttribute("data-station"))
                .toList();
    }

    private String stateOf(String station) {
        WebElement found = browser.all(css("stations") + " [data-station='" + station + "']")
                .get(0);
        return found.getDomAttribute("data-state");
    }

    private double rateOf(String instance) {
        return Double.parseDouble(
                browser.texts(block(instance) + " .block-rate b").get(0));
    }

    private static String block(String instance) {
        return css("sides") + " " + css("instance") + "[data-instance='" + instance + "']";
    }

    private static String process(String instance) {
        return css("process") + "[data-instance='" + instance + "']";
    }

    private String card() {
        return css("channel") + "[data-channel=" + channel + "]";
    }

    /** How far the page is wider than its window. */
    private static long overflow() {
        return (Long) browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth");
    }

    /** With spaces that may be broken at. */
    private static String plain(String text) {
        return text.replace('\u00a0', ' ');
    }
}
