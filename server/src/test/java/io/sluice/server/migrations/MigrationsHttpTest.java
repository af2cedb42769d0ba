package io.sluice.server.migrations;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.migration.evidence.Counts;
import io.sluice.migration.plan.Directive;
import io.sluice.migration.plan.Pace;
import io.sluice.migration.plan.Plan;
import io.sluice.server.Api;
import io.sluice.server.Api.Answer;
import io.sluice.server.LocalServer;
import io.sluice.testing.Requirement;
import io.sluice.wire.migration.DirectiveJson;
import io.sluice.wire.migration.EvidenceReport;
import io.sluice.wire.migration.EvidenceStatsJson;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MigrationsHttpTest {
    private final Api api = LocalServer.api();
    private final Api process = api.withToken("");
    private final String name = LocalServer.name("inventory");
    private final String path = "/api/v1/migrations/" + name;
    private final LocalDate today = LocalDate.now(ZoneOffset.UTC);

    @BeforeEach
    void create() {
        Answer created = api.post("/api/v1/migrations", "{\"name\":\"" + name + "\",\"why\":\"one stock for all\"}");
        assertThat(created.status()).isEqualTo(201);
    }

    @Test
    void aNewMigrationHasEverythingAtLegacy() {
        Answer view = api.get(path);

        assertThat(view.body().path("version").asLong()).isEqualTo(1);
        assertThat(view.body().path("newPercent").asInt(-1)).isZero();
        assertThat(view.body().path("observedSince").asString()).isEqualTo(today.toString());
        assertThat(view.body().has("progress")).isFalse();
        assertThat(view.body().path("ready").asBoolean(true)).isFalse();
        assertThat(view.body().path("conditions"))
                .extracting(each -> each.path("criterion").asString())
                .containsExactly("minNewSuccesses", "maxFallbackBps", "maxShadowDiffBps", "minDays");
        assertThat(api.get("/api/v1/migrations").body().path("migrations")).contains(view.body());
    }

    @Test
    void aTakenNameIsAConflictAndAnUnknownOneIsNotFound() {
        Answer again = api.post("/api/v1/migrations", "{\"name\":\"" + name + "\",\"why\":\"w\"}");

        assertThat(again.status()).isEqualTo(409);
        assertThat(detail(again)).isEqualTo("migration " + name + " exists already");
        String nobody = "/api/v1/migrations/nobody";
        for (Answer unknown : List.of(
                api.get(nobody),
                api.get(nobody + "/evidence"),
                api.get(nobody + "/readiness"),
                api.get(nobody + "/differences"),
                api.post(nobody, "{\"why\":\"w\",\"newPercent\":1}"),
                api.post(nobody + "/observe", "{\"name\":\"nobody\",\"why\":\"w\"}"),
                process.post(nobody + "/reports", report(Reports.of("a@b:1", 1, 1))))) {
            assertThat(unknown.status()).isEqualTo(404);
            assertThat(detail(unknown)).isEqualTo("there is no migration nobody");
        }
    }

    @Test
    @Requirement("I8")
    void whatIsWantedIsChangedFieldByField() {
        assertThat(change("\"newPercent\":5,\"version\":1")
                        .body()
                        .path("newPercent")
                        .asInt())
                .isEqualTo(5);
        change("\"alsoNew\":[\"sku-a\",\"sku-b\"]");
        change("\"keysPerSecond\":50,\"paused\":true");
        change("\"retry\":true");

        assertThat(wanted())
                .isEqualTo(
                        new Directive(5, new Plan(name, 4, 5, Set.of("sku-a", "sku-b"), Set.of()), new Pace(50, true)));

        change("\"newPercent\":0,\"alsoNew\":[],\"heldBack\":[],\"paused\":false");

        assertThat(wanted()).isEqualTo(new Directive(6, new Plan(name, 5, 0, Set.of(), Set.of()), new Pace(50, false)));
        assertThat(journal())
                .containsExactly(
                        "migrate 5% -> 0%, also new: 0 keys, 50 keys/s",
                        "migrate 5% -> 5%, 50 keys/s, paused",
                        "migrate 5% -> 5%, 50 keys/s, paused",
                        "migrate 5% -> 5%, also new: 2 keys, 500 keys/s",
                        "migrate 0% -> 5%, 500 keys/s",
                        "migration everything at legacy");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '\'', textBlock = """
            {"newPercent":1}                            | why
            {"why":"","newPercent":1}                   | why
            {"why":"two\\nlines","newPercent":1}        | why
            {"why":"w"}                                 | change
            {"why":"w","newPercent":101}                | newPercent
            {"why":"w","newPercent":-1}                 | newPercent
            {"why":"w","keysPerSecond":0}               | keysPerSecond
            {"why":"w","keysPerSecond":100001}          | keysPerSecond
            {"why":"w","alsoNew":["sku-a","sku-a"]}     | alsoNew
            {"why":"w","alsoNew":[""]}                  | alsoNew.key
            {"why":"w","newPercnt":1,"paused":true}     | newPercnt
            []                                          | document
            """)
    void aChangeThatIsNoneIsRefusedAndChangesNothing(String body, String problem) {
        Answer refused = api.post(path, body);

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body().path("problems"))
                .extracting(each -> each.path("path").asString())
                .containsExactly(problem);
        assertThat(api.get(path).body().path("version").asLong()).isEqualTo(1);
    }

    @Test
    @Requirement("I8")
    void aContradictionIsRefusedWithBothRulesNamed() {
        Answer refused = change("\"newPercent\":100,\"alsoNew\":[\"sku-a\"],\"heldBack\":[\"sku-a\",\"sku-b\"]");

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body().path("problems"))
                .extracting(each -> each.path("was").asString() + ": "
                        + each.path("allowed").asString())
                .satisfiesExactly(
                        first -> assertThat(first).isEqualTo("sku-a: must not hold a key that alsoNew sends to new"),
                        second -> assertThat(second)
                                .startsWith("sku-b (bucket ")
                                .contains("must not hold a key that newPercent 100 sends to new"));
        assertThat(api.get(path).body().path("version").asLong()).isEqualTo(1);
    }

    @Test
    void aMistypedFieldIsRefusedWithTheOneThatWasMeant() {
        Answer refused = change("\"newPercnt\":1");

        assertThat(refused.body().path("problems").get(0).path("allowed").asString())
                .contains("newPercent");
    }

    @Test
    void whoHasSeenAnEarlierVersionIsToldToLookAgain() {
        change("\"newPercent\":5");

        Answer stale = change("\"newPercent\":10,\"version\":1");

        assertThat(stale.status()).isEqualTo(409);
        assertThat(detail(stale))
                .isEqualTo("migration " + name + " is at version 2 by now, not at 1: look at it again first");
        assertThat(api.get(path).body().path("newPercent").asInt()).isEqualTo(5);
        assertThat(change("\"newPercent\":10,\"version\":2").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"name\":\"In ventory\",\"why\":\"w\"}",
                "{\"name\":\"x\"}",
                "{\"name\":\"x\",\"why\":\"two\\nlines\"}",
                "{\"name\":\"x\",\"why\":\"w\",\"percent\":1}"
            })
    void aMigrationThatIsNoneIsNotCreated(String body) {
        assertThat(api.post("/api/v1/migrations", body).status()).isEqualTo(400);
    }

    @Test
    void observingAnewNamesTheMigrationTwice() {
        Answer other = api.post(path + "/observe", "{\"name\":\"another\",\"why\":\"w\"}");

        assertThat(other.status()).isEqualTo(400);
        assertThat(other.body().path("problems").get(0).path("path").asString()).isEqualTo("name");
        assertThat(api.post(path + "/observe", "{\"name\":\"" + name + "\",\"why\":\"two\\nlines\"}")
                        .status())
                .isEqualTo(400);

        assertThat(api.post(path + "/observe", "{\"name\":\"" + name + "\",\"why\":\"rebuilt\"}")
                        .status())
                .isEqualTo(200);
        assertThat(journal().get(0)).isEqualTo("observe evidence counts from " + today);
    }

    @Test
    void aReportIsAnsweredWithWhatIsWantedUntilItIsKnown() {
        Answer known = report("a@b:1", 1, 1);
        change("\"newPercent\":5");
        Answer behind = report("a@b:1", 1, 1);
        Answer caughtUp = report("a@b:1", 2, 2);

        assertThat(known.status()).isEqualTo(204);
        assertThat(behind.status()).isEqualTo(200);
        assertThat(DirectiveJson.read(behind.raw().body()).plan().newPercent()).isEqualTo(5);
        assertThat(caughtUp.status()).isEqualTo(204);
        assertThat(api.get(path).body().path("behind").asInt(-1)).isZero();
    }

    @Test
    void theLongestListsGoThroughAsFarAsABodyMay() {
        String keys = IntStream.range(0, Plan.LONGEST_LIST)
                .mapToObj(i -> "\"a-rather-long-sku-with-a-number-%05d\"".formatted(i))
                .collect(Collectors.joining(","));

        assertThat(change("\"alsoNew\":[" + keys + "]").status()).isEqualTo(200);

        assertThat(wanted().plan().alsoNew()).hasSize(Plan.LONGEST_LIST);
        assertThat(change("\"alsoNew\":[" + keys + ",\"one-more\"]").status()).isEqualTo(400);
    }

    @Test
    void aReportThatIsNoneIsRefusedWithoutAToken() {
        assertThat(process.post(path + "/reports", "{}").status()).isEqualTo(400);
        assertThat(process.post(
                                path + "/reports",
                                report(Reports.of("a@b:1", 1, 1)).replace("a@b:1", "a b"))
                        .status())
                .isEqualTo(400);
        assertThat(process.post(
                                path + "/reports",
                                report(Reports.of("a@b:1", 1, 1, Reports.day(today.plusDays(2), Counts.NONE))))
                        .status())
                .isEqualTo(409);
        assertThat(process.get(path).status()).isEqualTo(401);
        assertThat(process.post(path, "{\"why\":\"w\",\"newPercent\":1}").status())
                .isEqualTo(401);
    }

    @Test
    @Requirement("I6")
    void evidenceAndReadinessAreTold() {
        process.post(
                path + "/reports",
                report(Reports.of("a@b:1", 1, 1, Reports.day(today, Reports.counts(100, 1, 40, 2)))));
        process.post(
                path + "/reports",
                report(Reports.of("a@b:1", 1, 1, Reports.day(today, Reports.counts(100, 1, 40, 2)))));
        process.post(
                path + "/reports", report(Reports.of("a@c:1", 1, 1, Reports.day(today, Reports.counts(50, 0, 10, 0)))));

        assertThat(EvidenceStatsJson.readStrict(
                                api.get(path + "/evidence").raw().body())
                        .days())
                .singleElement()
                .satisfies(day -> {
                    assertThat(day.date()).isEqualTo(today);
                    assertThat(day.newSuccesses()).isEqualTo(150);
                    assertThat(day.shadowDiffs()).isEqualTo(2);
                    assertThat(day.complete()).isFalse();
                });
        Answer usual = api.get(path + "/readiness");
        assertThat(usual.body().path("ready").asBoolean(true)).isFalse();
        assertThat(usual.body().path("unmet")).hasSize(4);
        Answer others =
                api.get(path + "/readiness?minNewSuccesses=150&maxFallbackBps=67&maxShadowDiffBps=399&minDays=1");
        assertThat(others.body().path("conditions"))
                .extracting(each -> each.path("met").asBoolean() + " " + each.path("seen"))
                .containsExactly("true 150", "true 66.23", "false 400.0", "false 0");
    }

    @ParameterizedTest
    @CsvSource({
        "minNewSuccesses=0,minNewSuccesses",
        "maxFallbackBps=10001,maxFallbackBps",
        "maxShadowDiffBps=-1,maxShadowDiffBps",
        "minDays=367,minDays",
        "minDays=week,minDays"
    })
    void criteriaThatAreNoneAreRefused(String query, String problem) {
        Answer refused = api.get(path + "/readiness?" + query);

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body().path("problems").get(0).path("path").asString())
                .isEqualTo(problem);
    }

    @Test
    @Requirement("I5")
    void differencesAreToldWithBothValuesTheNewestFirst() {
        Instant now = Instant.parse("2026-11-30T08:15:00Z");
        EvidenceReport report = Reports.differing(
                Reports.of("a@b:1", 1, 1),
                List.of(Reports.difference("d1", "sku-1", now), Reports.difference("d2", "sku-2", now.plusSeconds(1))));
        process.post(path + "/reports", report(report));
        process.post(path + "/reports", report(report));

        Answer all = api.get(path + "/differences");

        assertThat(all.body().path("differences"))
                .extracting(each -> each.path("key").asString() + " "
                        + each.path("authorityValue").asString() + " "
                        + each.path("otherValue").asString() + " "
                        + each.path("at").asString())
                .containsExactly("sku-2 7 5 2026-11-30T08:15:01Z", "sku-1 7 5 2026-11-30T08:15:00Z");
        assertThat(api.get(path + "/differences?most=1").body().path("differences"))
                .hasSize(1);
        assertThat(api.get(path + "/differences?most=-1").body().path("differences"))
                .hasSize(1);
        assertThat(api.get(path + "/differences?most=many").status()).isEqualTo(400);
    }

    @Test
    void theApiDescribesItself() {
        assertThat(process.get("/v3/api-docs").body().path("paths").propertyNames())
                .contains(
                        "/api/v1/migrations",
                        "/api/v1/migrations/{name}",
                        "/api/v1/migrations/{name}/observe",
                        "/api/v1/migrations/{name}/reports",
                        "/api/v1/migrations/{name}/evidence",
                        "/api/v1/migrations/{name}/readiness",
                        "/api/v1/migrations/{name}/differences");
    }

    private Answer change(String fields) {
        return api.post(path, "{\"why\":\"because\"," + fields + "}");
    }

    private Directive wanted() {
        return DirectiveJson.read(report("asks@b:1", 1, 0).raw().body());
    }

    private Answer report(String reporter, long revision, long version) {
        return process.post(path + "/reports", report(Reports.of(reporter, revision, version)));
    }

    private static String report(EvidenceReport report) {
        return Reports.json(report);
    }

    private List<String> journal() {
        return api.get("/api/v1/audit?limit=1000")
                .body()
                .path("entries")
                .valueStream()
                .filter(entry -> entry.path("why").asString().startsWith(name + ": "))
                .map(entry -> entry.path("action").asString() + " "
                        + entry.path("outcome").asString())
                .toList();
    }

    private static String detail(Answer answer) {
        return answer.body().path("detail").asString();
    }
}
