package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.core.rule.RuleState;
import io.sluice.server.channels.SimulatedShop;
import io.sluice.server.deployers.OrderDesk;
import io.sluice.server.deployers.Receiver;
import io.sluice.testing.NeedsProgram;
import io.sluice.testing.Requirement;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/**
 * Wall clocks of real processes that jump by an hour, forward and back, while their monotonic clocks go on: the leader of two
 * servers, the other one, and a process with the SDK. Whatever has a time would be over after an hour, and nothing is.
 */
@NeedsProgram(value = FakeClock.PROGRAM, install = FakeClock.INSTALL)
class ClockJumpOfServersTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration JUST_NOW = Duration.ofMinutes(2);

    private static final String HALF_AN_HOUR = """
            {"stages":[{"percent":10,"hold":"30m"},{"percent":100,"hold":"30m"}]}""";

    private static final String ONE_SECOND = """
            {"stages":[{"percent":10,"hold":"1s"},{"percent":100,"hold":"30m"}]}""";

    @TempDir
    Path directory;

    private final Receiver observations = new Receiver();
    private final BlueGreenRun trade = new BlueGreenRun("trade-2026-11", "trade", "v2");
    private FakeClock leaderClock;
    private FakeClock otherClock;
    private FakeClock processClock;
    private EmbeddedPostgres postgres;
    private OrderDesk desk;
    private ChildServer leader;
    private ChildServer other;
    private FollowingProcess process;
    private SimulatedShop shop;
    private long sequence;

    @BeforeEach
    void start() throws Exception {
        leaderClock = new FakeClock(directory.resolve("leader-clock"));
        otherClock = new FakeClock(directory.resolve("other-clock"));
        processClock = new FakeClock(directory.resolve("process-clock"));
        desk = new OrderDesk((side, version) -> shop.deploy(side, version));
        desk.holdBack(trade.key("deploy-blue"));
        postgres = EmbeddedPostgres.builder().start();
        leader = startServer("leader", leaderClock);
        other = startServer("other", otherClock);
        observations.replies(Receiver.answer(204, ""));
        process = new FollowingProcess(leader.api().server(), observations.url(""), processClock);
        leader.api().post("/api/v1/channels", "{\"id\":\"trade\",\"services\":[\"inventory\"]}");
        shop = new SimulatedShop(leader::api, "trade", "inventory");
        await().until(() -> workloads() == 5);
    }

    private ChildServer startServer(String name, FakeClock clock) throws IOException {
        return ChildServer.startOn(
                postgres.getJdbcUrl("postgres", "postgres"),
                directory.resolve(name),
                clock.environment(),
                BlueGreenRun.flags(desk, directory));
    }

    @AfterEach
    void stop() throws Exception {
        shop.close();
        process.close();
        leader.close();
        other.close();
        desk.close();
        observations.close();
        postgres.close();
    }

    @Test
    @Requirement("F13")
    void nothingFiresEarlyOrLateWhenWallClocksJump() {
        long began = System.nanoTime();
        start("held", HALF_AN_HOUR);
        start("hungry", ONE_SECOND);
        trade.start(leader.api(), "1m");
        report("held", 40);
        await().until(() -> desk.given(trade.key("deploy-blue")) > 0);
        String term = term();

        jump(HOUR, HOUR.negated(), HOUR);
        assertNothingFired(term, began, "second");
        jump(HOUR.negated(), HOUR, HOUR.negated());
        assertNothingFired(term, began, "third");

        // Nor late: what is due while the clocks are an hour back comes all the same.
        start("quick", ONE_SECOND);
        report("quick", 40);
        await().until(() -> view("quick").path("percent").asInt() == 100);
        desk.letOn(trade.key("deploy-blue"));
        await().until(() -> BlueGreenRun.phase(trade.view(leader.api())).equals("verifying"));
        jump(Duration.ZERO, Duration.ZERO, Duration.ZERO);
        assertNothingFired(term, began, "fourth");
        assertThat(leader.api().get("/api/v1/audit/verify").body().path("whole").asBoolean())
                .isTrue();
    }

    private void jump(Duration ofLeader, Duration ofOther, Duration ofProcess) {
        leaderClock.jump(ofLeader);
        otherClock.jump(ofOther);
        processClock.jump(ofProcess);
        assertThat(wallClock(leader)).isBetween(around(ofLeader.minus(JUST_NOW)), around(ofLeader.plus(JUST_NOW)));
        assertThat(wallClock(other)).isBetween(around(ofOther.minus(JUST_NOW)), around(ofOther.plus(JUST_NOW)));
        assertThat(process.standing().wallClock())
                .isBetween(around(ofProcess.minus(JUST_NOW)), around(ofProcess.plus(JUST_NOW)));
    }

    private static Instant around(Duration offset) {
        return Instant.now().plus(offset);
    }

    /** As a server tells it with each answer. */
    private static Instant wallClock(ChildServer server) {
        String date = server.api()
                .get("/api/v1/leader")
                .raw()
                .headers()
                .firstValue("Date")
                .orElseThrow();
        return ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
    }

    /** Lets both servers and the process go on for a while, in which they renew, look, report and hear of new rules. */
    private void assertNothingFired(String term, long began, String newRelease) {
        long held = view("held").path("heldMillis").asLong();
        await().until(() -> view("held").path("heldMillis").asLong() > held + 2_500);
        start(newRelease, HALF_AN_HOUR);
        await().until(() -> process.standing().revision().equals(published(leader))
                && published(other).equals(published(leader)));

        long real = Duration.ofNanos(System.nanoTime() - began).toMillis();
        JsonNode ofHeld = view("held");
        assertThat(ofHeld.path("step").asLong()).isEqualTo(1);
        assertThat(ofHeld.path("heldMillis").asLong()).isLessThan(real);
        JsonNode ofHungry = view("hungry");
        assertThat(ofHungry.path("step").asLong()).isEqualTo(1);
        assertThat(ofHungry.path("phase").asString()).isEqualTo("ramping");
        assertThat(trade.view(leader.api()).path("paused").asBoolean()).isFalse();
        assertThat(term()).isEqualTo(term);
        assertThat(leader.api().get("/api/v1/leader").status()).isEqualTo(200);
        assertThat(secondsOfLease()).isBetween(0.0, 10.0);
        assertThat(workloads()).isEqualTo(5);
        FollowingProcess.Standing standing = process.standing();
        assertThat(standing.state()).isEqualTo(RuleState.FRESH);
        assertThat(standing.looks()).isPositive();
        assertThat(standing.notFresh()).isZero();
        assertThat(standing.setBack()).isZero();
    }

    private void start(String id, String plan) {
        String document = """
                {"id":"%s","version":"v2","services":["service-%s"],"plan":%s,
                 "guard":{"minSamples":10,"maxErrorRate":0.02,"maxP99":"900ms","holdLimit":"30m","onHold":"abort"}}""".formatted(id, id, plan);
        assertThat(leader.api().post("/api/v1/releases", document).status()).isEqualTo(201);
        assertThat(leader.api().post("/api/v1/releases/" + id + "/start", "{}").status())
                .isEqualTo(200);
    }

    private void report(String id, long count) {
        for (String lane : new String[] {"canary", "stable"}) {
            String batch = Api.batch("service-" + id, ++sequence, id, 1, lane, count, 0);
            assertThat(leader.api().post("/api/v1/observations", batch).status())
                    .isEqualTo(204);
        }
    }

    private JsonNode view(String id) {
        return leader.api().get("/api/v1/releases/" + id).body();
    }

    private static String published(ChildServer server) {
        JsonNode rules = server.api().get("/api/v1/rules").body();
        return rules.path("epoch").asLong() + "." + rules.path("revision").asLong();
    }

    /** Processes that are reached, of the shop's four and the one with the jumping clock. */
    private long workloads() {
        return leader.api()
                .get("/api/v1/workloads")
                .body()
                .path("workloads")
                .valueStream()
                .filter(each -> each.path("reached").asBoolean())
                .count();
    }

    private String term() {
        return JdbcClient.create(postgres.getPostgresDatabase())
                .sql("select holder || ' ' || epoch from leader_lease")
                .query(String.class)
                .single();
    }

    /** By the clock of the database. */
    private double secondsOfLease() {
        return JdbcClient.create(postgres.getPostgresDatabase())
                .sql("select extract(epoch from expires_at - clock_timestamp()) from leader_lease")
                .query(Double.class)
                .single();
    }
}
