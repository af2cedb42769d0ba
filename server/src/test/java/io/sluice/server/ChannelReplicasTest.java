package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.server.channels.SimulatedShop;
import io.sluice.server.deployers.OrderDesk;
import io.sluice.testing.Requirement;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/** Three server processes on one PostgreSQL, whose leaders stand still in the middle of a release of a channel, and wake. */
class ChannelReplicasTest {
    private static final List<String> NAMES = List.of("one", "two", "three");
    private static final Duration HEALTH_CHECK = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final int STORMS = 4;

    @TempDir
    Path directory;

    private final Map<String, ChildServer> servers = new LinkedHashMap<>();
    private final BlueGreenRun release = new BlueGreenRun("trade-2026-11", "trade", "v2");
    private final PublishedShares shares = new PublishedShares();
    private final List<Integer> answers = new ArrayList<>();
    private final AtomicInteger turns = new AtomicInteger();
    private final Random random = new Random(25);
    private EmbeddedPostgres postgres;
    private OrderDesk desk;
    private SimulatedShop shop;
    private WriteWitness witness;
    private volatile String lastLeader = "one";

    @BeforeEach
    void start() throws Exception {
        postgres = EmbeddedPostgres.builder().start();
        desk = new OrderDesk((side, version) -> shop.deploy(side, version));
        // The first one makes the tables, and leads.
        servers.put("one", startServer("one"));
        List<CompletableFuture<ChildServer>> others = List.of("two", "three").stream()
                .map(name -> CompletableFuture.supplyAsync(() -> startServer(name)))
                .toList();
        servers.put("two", others.get(0).get());
        servers.put("three", others.get(1).get());
        String channel = "{\"id\":\"trade\",\"services\":[\"inventory\",\"order\"]}";
        assertThat(api("two").post("/api/v1/channels", channel).status()).isEqualTo(201);
        shop = new SimulatedShop(this::anybody, this::leaderApi, "trade", "inventory", "order");
        await().until(() -> api("one")
                        .get("/api/v1/workloads")
                        .body()
                        .path("workloads")
                        .valueStream()
                        .filter(each -> each.path("applied").asBoolean())
                        .count()
                == 8);
        witness = new WriteWitness(postgres.getPostgresDatabase(), "one");
        NAMES.forEach(name -> shares.follow(name, () -> api(name)));
    }

    private ChildServer startServer(String name) {
        try {
            return ChildServer.startOn(
                    postgres.getJdbcUrl("postgres", "postgres") + "&ApplicationName=" + name,
                    directory.resolve(name),
                    BlueGreenRun.flags(desk, directory));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @AfterEach
    void stop() throws Exception {
        shares.close();
        for (ChildServer server : servers.values()) {
            server.close();
        }
        shop.close();
        desk.close();
        postgres.close();
    }

    @Test
    @Requirement({"F25", "F24"})
    void leadersThatSleepInTheMiddleOfAReleaseChangeNothingWhenTheyWake() throws Exception {
        desk.holdBack(release.key("deploy-green"));
        release.start(api("one"), "3s");

        // In the middle of a save, while blue is admitted; its lease runs out.
        String first = sleepInTheMiddleOfASaveOf("admitting");
        long step = release.view(api(NAMES.get(1))).path("step").asLong();
        CompletableFuture<Integer> toTheSleeper = commandLater(first, "pause", "{\"why\":\"asleep\"}");
        awaitAnotherLeaderThan(first);
        until(() -> letOn() && view().path("step").asLong() > step);
        wake(first);
        assertRefused(toTheSleeper);

        // While an order is under way.
        until(() -> letOn() && desk.given(release.key("deploy-green")) > 0);
        String second = lead();
        sleep(second);
        long given = desk.given(release.key("deploy-green"));
        awaitAnotherLeaderThan(second);
        until(() -> desk.given(release.key("deploy-green")) > given);
        wake(second);

        // Again and again, so soon that who wakes still believes that it leads.
        for (int storm = 0; storm < STORMS; storm++) {
            String sleeper = lead();
            LockSupport.parkNanos(random.nextInt(400_000_000));
            sleep(sleeper);
            CompletableFuture<Integer> command = commandLater(sleeper, "pause", "{\"why\":\"asleep\"}");
            awaitAnotherLeaderThan(sleeper);
            wake(sleeper);
            assertRefused(command);
        }
        desk.letOn(release.key("deploy-green"));
        until(() -> letOn() && BlueGreenRun.phase(view()).equals("completed"));

        release.assertUndisturbed(leaderApi(), desk);
        shares.assertOnPlan(PublishedShares.OF_BLUE);
        assertThat(shares.all()).containsExactly(-1, 0, 10, 50, 100);
        assertThat(answers).contains(503).containsOnly(200, 503);
        assertThat(journal("promote")).isEqualTo(2);
        assertThat(journal("pause")).isZero();
        assertThat(witness.strangers()).isEmpty();
        assertThat(witness.terms()).isGreaterThanOrEqualTo(3 + STORMS);
        assertThat(witness.writes(first)).isPositive();
        assertThat(witness.writes(second)).isPositive();
        assertThat(api("two").get("/api/v1/audit/verify").body().path("whole").asBoolean())
                .isTrue();
        System.out.println(witness.terms() + " terms, writes " + witness.writes("one") + ", " + witness.writes("two")
                + ", " + witness.writes("three") + ", orders " + desk.given(release.key("deploy-blue")) + ", "
                + desk.given(release.key("deploy-green")));
    }

    /** Holds the release's row until the leader waits for it with its save, stops the leader, and lets the row go. */
    private String sleepInTheMiddleOfASaveOf(String phase) throws Exception {
        try (Connection connection = postgres.getPostgresDatabase().getConnection();
                PreparedStatement lock =
                        connection.prepareStatement("select id from releases where phase = ? for update")) {
            connection.setAutoCommit(false);
            lock.setString(1, phase);
            until(() -> {
                letOn();
                boolean isThere = lock.executeQuery().next();
                if (!isThere) {
                    connection.rollback();
                }
                return isThere;
            });
            String leader = lead();
            await().until(() -> JdbcClient.create(postgres.getPostgresDatabase())
                            .sql("select count(*) from pg_stat_activity where application_name = ?"
                                    + " and wait_event_type = 'Lock' and query like 'update releases%'")
                            .param(leader)
                            .query(Integer.class)
                            .single()
                    > 0);
            servers.get(leader).signal("STOP");
            connection.rollback();
            return leader;
        }
    }

    /** Stands still, and its lease is over at once. */
    private void sleep(String server) throws Exception {
        servers.get(server).signal("STOP");
        JdbcClient.create(postgres.getPostgresDatabase())
                .sql("update leader_lease set expires_at = clock_timestamp() - interval '1 second'")
                .update();
    }

    private void wake(String server) throws Exception {
        servers.get(server).signal("CONT");
    }

    private void awaitAnotherLeaderThan(String asleep) {
        until(() -> !lead().equals(asleep));
    }

    private CompletableFuture<Integer> commandLater(String server, String command, String body) {
        return CompletableFuture.supplyAsync(
                () -> release.command(api(server), command, body).status());
    }

    /** Whoever slept takes no command when it wakes, whatever it believes. */
    private static void assertRefused(CompletableFuture<Integer> command)
            throws InterruptedException, ExecutionException, TimeoutException {
        assertThat(command.get(60, TimeUnit.SECONDS)).isEqualTo(503);
    }

    /** Nobody leads for a moment in between, and then a question has no answer. */
    private static void until(Callable<Boolean> condition) {
        await().atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(IllegalStateException.class)
                .until(condition);
    }

    /** Says the same to all servers, where it waits for a human: one does it, the others say who does not. */
    private boolean letOn() {
        JsonNode view = view();
        if (BlueGreenRun.waitsForHuman(view)) {
            String body = BlueGreenRun.promotion(view);
            NAMES.forEach(name -> promote(name, body));
        }
        return true;
    }

    private void promote(String name, String body) {
        try {
            answers.add(release.command(api(name).within(HEALTH_CHECK), "promote", body)
                    .status());
        } catch (IllegalStateException asleep) {
            // It gets it when it wakes.
        }
    }

    private long journal(String action) {
        return leaderApi()
                .get("/api/v1/releases/" + release.id() + "/journal")
                .body()
                .path("entries")
                .valueStream()
                .filter(entry -> entry.path("action").asString().equals(action))
                .count();
    }

    private JsonNode view() {
        return release.view(leaderApi());
    }

    private Api api(String name) {
        return servers.get(name).api();
    }

    private Api leaderApi() {
        return api(lead()).within(Duration.ofSeconds(5));
    }

    /** The one whose address answers that it leads, as a balancer finds it. */
    private String lead() {
        List<String> asked = new ArrayList<>(NAMES);
        asked.remove(lastLeader);
        asked.add(0, lastLeader);
        for (String name : asked) {
            if (leads(name)) {
                lastLeader = name;
                return name;
            }
        }
        throw new IllegalStateException("nobody leads at present");
    }

    private boolean leads(String name) {
        try {
            return api(name).within(HEALTH_CHECK).get("/api/v1/leader").status() == 200;
        } catch (IllegalStateException asleep) {
            return false;
        }
    }

    private Api anybody() {
        return api(NAMES.get(Math.floorMod(turns.getAndIncrement(), NAMES.size())))
                .within(HEALTH_CHECK);
    }
}
