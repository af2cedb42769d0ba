package io.sluice.server.console;

import static io.sluice.server.console.Browser.css;
import static io.sluice.server.console.Browser.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.decision.KeyBucket;
import io.sluice.migration.evidence.EvidenceCounters;
import io.sluice.migration.plan.Directive;
import io.sluice.migration.plan.Plan;
import io.sluice.migration.plan.PlanSource;
import io.sluice.migration.plan.Side;
import io.sluice.server.Api;
import io.sluice.server.LocalServer;
import io.sluice.server.migrations.Reports;
import io.sluice.testing.NeedsProgram;
import io.sluice.testing.Requirement;
import io.sluice.wire.migration.EvidenceReport;
import io.sluice.wire.migration.ReportedDifference;
import io.sluice.wire.remote.MigrationReporter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/** Migrations in the console, with a process that reports and takes what is wanted as a router does. */
@NeedsProgram(
        value = {Browser.CHROMIUM, Browser.DRIVER},
        install = "apt-get install chromium chromium-driver")
class MigrationConsoleBrowserTest {
    private static final String HOSTILE = "<img src=x onerror=\"window.__xss = 1\">";

    @TempDir
    private static Path profile;

    private static Browser browser;

    private final Api api = LocalServer.api();
    private final String name = LocalServer.name("inventory");
    private final String path = "/api/v1/migrations/" + name;
    private final LocalDate today = LocalDate.now(ZoneOffset.UTC);
    private final AtomicReference<Directive> taken = new AtomicReference<>(Directive.start(name));
    private final EvidenceCounters counters = new EvidenceCounters(InstantSource.system());
    private final MigrationReporter live = MigrationReporter.builder(
                    api.server(), new TakenPlan(), counters, "inventory@live:1")
            .directives(taken::set)
            .progress(() -> Optional.of(Reports.progress(1_500, 480, 15, 5)))
            .beat(Duration.ofMillis(200))
            .build();

    @BeforeAll
    static void startBrowser() {
        browser = Browser.start(profile);
    }

    @AfterAll
    static void endBrowser() {
        browser.close();
    }

    @BeforeEach
    void create() {
        assertThat(api.post("/api/v1/migrations", "{\"name\":\"" + name + "\",\"why\":\"one stock for all\"}")
                        .status())
                .isEqualTo(201);
        live.start();
    }

    @AfterEach
    void endProcess() {
        live.close();
    }

    @Test
    @Requirement("J1")
    void whereTheKeysAreAndWhoRoutesByWhichPlanIsShown() {
        report(Reports.of("inventory@silent:1", 1, 1));
        change("\"newPercent\":20,\"alsoNew\":[\"sku-a\",\"sku-b\"]");
        openMigrations();

        eventually().until(() -> text("migration-wish").contains("20"));
        assertThat(plain(text("migration-wish"))).isEqualTo("Wanted at new: 20 % of the keys. Also 2 by name.");
        eventually().until(() -> attribute("migration-state", "data-state").equals("moving"));
        assertThat(text("keys-moved")).isEqualTo("480");
        assertThat(text("keys-frozen")).isEqualTo("5");
        assertThat(text("keys-toMove")).isEqualTo("1,495");
        assertThat(text("keys-handedBack")).isEqualTo("15");
        assertThat(plain(text("keys-rate"))).isEqualTo("250 keys/s now, about 6 s left.");
        eventually()
                .untilAsserted(() -> assertThat(texts("[data-reporter='inventory@live:1'][data-behind=false]"))
                        .singleElement()
                        .asString()
                        .contains("2", "heard"));
        assertThat(texts("[data-reporter='inventory@silent:1'][data-behind=true]"))
                .singleElement()
                .asString()
                .contains("behind");
        assertThat(text("migration-processes")).contains("1 of 2 route by an older plan than 2.");
        eventually()
                .untilAsserted(() -> assertThat(texts("[data-reporter='inventory@silent:1'][data-reached=false]"))
                        .singleElement()
                        .asString()
                        .contains("unreached for"));
        assertThat(browser.attribute("migrations-button", "aria-current")).isEqualTo("page");
        assertThat(browser.console()).isEmpty();
    }

    @Test
    @Requirement({"I8", "J1"})
    void aChangeReachesTheProcesses() {
        openMigrations();

        click("migration-change");
        retype("new-percent", "101");
        confirmBecause("first keys");
        eventually().until(() -> texts(css("migration-problem")).size() == 1);
        assertThat(text("migration-problem")).isEqualTo("Must be a whole number within 0..100.");
        assertThat(view().path("version").asLong()).isEqualTo(1);

        retype("new-percent", "25");
        eventually().until(() -> text("migration-effect").contains("More keys"));
        retype("keys-per-second", "50");
        click("migration-confirm");

        eventually().until(() -> !shows("migration-dialog"));
        eventually().until(() -> text("migration-wish").contains("25"));
        eventually().until(() -> taken.get().plan().newPercent() == 25);
        assertThat(taken.get().pace().keysPerSecond()).isEqualTo(50);
        assertThat(browser.text("announcer")).isEqualTo("Change: done.");
    }

    @Test
    @Requirement("I8")
    void aRefusalNamesBothRules() {
        change("\"heldBack\":[\"sku-a\"]");
        openMigrations();
        eventually().until(() -> text("migration-wish").contains("1 are held back"));

        click("migration-change");
        retype("new-percent", "100");
        confirmBecause("all of them");

        eventually().until(() -> !texts(css("migration-problem")).isEmpty());
        assertThat(text("migration-problem"))
                .startsWith("heldBack was sku-a (bucket ")
                .contains("must not hold a key that newPercent 100 sends to new");
        assertThat(view().path("newPercent").asInt(-1)).isZero();
    }

    @Test
    void whatSomebodyElseHasChangedIsSaidBeforeItIsOverwritten() {
        openMigrations();
        click("migration-change");
        retype("new-percent", "5");

        change("\"newPercent\":1");

        eventually().until(() -> texts(css("migration-problem")).size() == 1);
        assertThat(text("migration-problem")).startsWith("Somebody else has changed it");
        assertThat(attribute("migration-confirm", "disabled")).isNotNull();
        click("migration-cancel");
    }

    @Test
    @Requirement({"I8", "J1"})
    void pauseResumeAndTheWayBackAskWhy() {
        change("\"newPercent\":20,\"heldBack\":[\"" + aKeyAbove(20) + "\"]");
        openMigrations();
        eventually().until(() -> text("migration-wish").contains("20"));
        assertThat(attribute("migration-resume", "disabled")).isNotNull();

        click("migration-pause");
        confirmBecause("");
        eventually().until(() -> texts(css("migration-problem")).size() == 1);
        assertThat(text("migration-problem")).isEqualTo("Say why.");
        confirmBecause("lunch");
        eventually().until(() -> attribute("migration-state", "data-state").equals("paused"));
        assertThat(view().path("revision").asLong()).isEqualTo(2);

        click("migration-back");
        eventually().until(() -> text("migration-effect").contains("Every key is taken back to legacy"));
        confirmBecause("wrong totals");

        eventually().until(() -> plain(text("migration-wish")).equals("Wanted at new: 0 % of the keys."));
        assertThat(view().path("heldBack")).isEmpty();
        assertThat(view().path("paused").asBoolean(true)).isFalse();
    }

    @Test
    @Requirement({"I6", "J1"})
    void theEvidenceIsShownByDayWithEveryCriterion() {
        LocalServer.context()
                .getBean(JdbcClient.class)
                .sql("update migrations set observed_since = ? where name = ?")
                .params(today.minusDays(10), name)
                .update();
        report(Reports.of(
                "inventory@old:1",
                1,
                1,
                Reports.day(today.minusDays(2), "00:00", "10:00", Reports.counts(40_000, 0, 5_000, 1)),
                Reports.day(today.minusDays(1), Reports.counts(19_999, 21, 1_000, 0))));
        counters.succeeded(Side.NEW);
        openMigrations();

        eventually().until(() -> texts(css("migration-day")).size() == 3);
        assertThat(texts(css("migration-day") + "[data-date='" + today.minusDays(1) + "']"))
                .singleElement()
                .asString()
                .contains("19,999", "10.49", "0", "all day");
        assertThat(texts(css("migration-day") + "[data-watched=interrupted]"))
                .singleElement()
                .asString()
                .contains(today.minusDays(2).toString(), "40,000", "2", "interrupted");
        assertThat(texts(css("migration-day") + "[data-date='" + today + "'][data-watched=underWay]"))
                .hasSize(1);
        assertThat(condition("minNewSuccesses", true)).contains("Successes of the new side: 60,000 of at least 50,000");
        assertThat(condition("maxFallbackBps", true)).contains("Fallbacks: 3.5 bps, at most 10 bps");
        assertThat(condition("maxShadowDiffBps", true)).contains("Differences: 1.67 bps, at most 5 bps");
        assertThat(condition("minDays", false))
                .contains("Unbroken days: 1 of at least 7", today.minusDays(2) + " was interrupted");
        assertThat(text("migration-ready-word")).isEqualTo("Not ready: 1 of 4 unmet");
    }

    @Test
    @Requirement({"I5", "J1"})
    void differencesAreShownWithBothValuesAndNothingIsRun() {
        Instant now = Instant.now();
        report(Reports.differing(
                Reports.of(
                        "inventory@differs:1", 1, 1, Reports.day(today, "00:00", "00:01", Reports.counts(9, 0, 9, 2))),
                List.of(
                        Reports.difference("d1", "sku-1", now.minusSeconds(9)),
                        new ReportedDifference("d2", HOSTILE, HOSTILE, 3, Side.NEW, HOSTILE, "", now))));
        openMigrations();
        eventually().until(() -> text("migration-differences-open").equals("Differences: 2"));
        assertThat(texts(css("difference"))).allMatch(String::isEmpty);

        one(css("migration-differences-open")).sendKeys(Keys.ENTER);

        eventually().until(() -> texts(css("difference")).size() == 2);
        assertThat(texts(css("difference") + "[data-id=d1]"))
                .singleElement()
                .asString()
                .contains("sku-1", "available", "12", "legacy 7", "5");
        assertThat(texts(css("difference")).get(0)).contains(HOSTILE, "new ");
        assertThat(browser.run("return window.__xss")).isNull();
        assertThat(browser.all("img[onerror]")).isEmpty();
    }

    @Test
    void itGoesByKeyboardOnASmallScreenAndInChinese() {
        report(Reports.differing(
                Reports.of(
                        "inventory@a-rather-long-name-of-a-host:1",
                        1,
                        1,
                        Reports.day(today, Reports.counts(9, 9, 9, 2))),
                List.of(Reports.difference("d1", "sku-1", Instant.now()))));
        openMigrations();
        eventually().until(() -> shows("migration-change"));
        one(css("migration-change")).sendKeys(Keys.ENTER);
        eventually().until(() -> shows("migration-dialog"));
        assertThat(browser.run("return document.activeElement.dataset.testid")).isEqualTo("new-percent");
        one(css("new-percent")).sendKeys(Keys.ESCAPE);
        eventually().until(() -> !shows("migration-dialog"));
        assertThat(browser.run("return document.activeElement.dataset.testid")).isEqualTo("migration-change");

        one(css("migration-differences-open")).sendKeys(Keys.ENTER);
        eventually().until(() -> texts(css("difference")).size() == 1);
        browser.resize(500, 1600);
        eventually().untilAsserted(() -> assertThat(overflow()).isZero());
        browser.click("language");
        eventually().until(() -> browser.text("migrations-title").equals("迁移"));
        assertThat(text("migration-back")).isEqualTo("全部回到旧侧");
        assertThat(browser.texts(card()).get(0)).doesNotContain("Wanted", "Plan", "Not ready");
        assertThat(overflow()).isZero();
        browser.click("language");
    }

    private void openMigrations() {
        browser.open(api.server() + "/#token=" + api.token() + "&migrations");
        eventually().until(() -> !browser.all(card()).isEmpty());
    }

    private void report(EvidenceReport report) {
        assertThat(api.withToken("")
                        .post(path + "/reports", Reports.json(report))
                        .status())
                .isIn(200, 204);
    }

    private void change(String fields) {
        assertThat(api.post(path, "{\"why\":\"by another\"," + fields + "}").status())
                .isEqualTo(200);
    }

    private JsonNode view() {
        return api.get(path).body();
    }

    private static String aKeyAbove(int percent) {
        return IntStream.range(0, 1_000)
                .mapToObj("sku-%03d"::formatted)
                .filter(key -> KeyBucket.of(key) >= percent)
                .findFirst()
                .orElseThrow();
    }

    private void confirmBecause(String why) {
        retype("migration-why", why);
        click("migration-confirm");
    }

    private String condition(String criterion, boolean met) {
        return texts(css("condition") + "[data-criterion=" + criterion + "][data-met=" + met + "]")
                .get(0);
    }

    /** What the process has taken last. */
    private final class TakenPlan implements PlanSource {
        @Override
        public Plan current() {
            return taken.get().plan();
        }

        @Override
        public Plan refresh() {
            return current();
        }
    }

    /* Within the card of this migration; the server has those of other tests too. */

    private String card() {
        return css("migration") + "[data-migration='" + name + "']";
    }

    private WebElement one(String selector) {
        return browser.all(card() + " " + selector).get(0);
    }

    private List<String> texts(String selector) {
        return browser.texts(card() + " " + selector);
    }

    private String text(String testId) {
        return one(css(testId)).getText();
    }

    private String attribute(String testId, String attribute) {
        return one(css(testId)).getDomAttribute(attribute);
    }

    private boolean shows(String testId) {
        return one(css(testId)).isDisplayed();
    }

    private void click(String testId) {
        eventually().until(() -> {
            one(css(testId)).click();
            return true;
        });
    }

    private void retype(String testId, String text) {
        WebElement field = one(css(testId));
        field.clear();
        field.sendKeys(text);
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
