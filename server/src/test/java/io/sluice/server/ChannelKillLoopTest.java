package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.server.channels.SimulatedShop;
import io.sluice.server.deployers.OrderDesk;
import io.sluice.testing.Requirement;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * A server that is killed at random moments of blue-green releases. {@code -Dsluice.kills=40} for more of them, and
 * {@code -Dsluice.kills.seed} for others.
 */
class ChannelKillLoopTest {
    private static final int KILLS = Integer.getInteger("sluice.kills", 8);
    private static final int SEED = Integer.getInteger("sluice.kills.seed", 24);

    /** About as many as a release is long, at a kill a second. */
    private static final int KILLS_OF_A_RELEASE = 8;

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @TempDir
    Path directory;

    private final Random random = new Random(SEED);
    private final Map<String, Integer> killedIn = new TreeMap<>();
    private final PublishedShares shares = new PublishedShares();
    private volatile ChildServer server;
    private SimulatedShop shop;
    private OrderDesk desk;

    @BeforeEach
    void start() throws Exception {
        desk = new OrderDesk((side, version) -> shop.deploy(side, version));
        startServer();
        shop = new SimulatedShop(() -> server.api().within(Duration.ofSeconds(5)), "trade", "inventory", "order");
        server.api().post("/api/v1/channels", "{\"id\":\"trade\",\"services\":[\"inventory\",\"order\"]}");
        await().until(() -> server.api()
                        .get("/api/v1/workloads")
                        .body()
                        .path("workloads")
                        .valueStream()
                        .filter(each -> each.path("applied").asBoolean())
                        .count()
                == 8);
    }

    @AfterEach
    void stop() throws Exception {
        shares.close();
        shop.close();
        server.close();
        desk.close();
    }

    private void startServer() throws Exception {
        server = ChildServer.start(directory.resolve("data"), BlueGreenRun.flags(desk, directory));
    }

    @Test
    @Requirement({"F24", "C9"})
    void wheneverItIsKilledAReleaseTakesTheSameWay() throws Exception {
        int releases = (KILLS + KILLS_OF_A_RELEASE - 1) / KILLS_OF_A_RELEASE;
        shares.follow("the server", () -> server.api());
        // One that nothing interferes with: what all others are held against.
        run(new BlueGreenRun("calm", "trade", "v2"), 0);
        for (int release = 0; release < releases; release++) {
            int kills = Math.min(KILLS_OF_A_RELEASE, KILLS - release * KILLS_OF_A_RELEASE);
            run(new BlueGreenRun("killed-" + release, "trade", "v" + (release + 3)), kills);
        }

        shares.assertOnPlan(PublishedShares.timesOver(releases + 1));
        assertThat(shares.all()).containsExactly(-1, 0, 10, 50, 100);
        assertThat(server.api().get("/api/v1/audit/verify").body().path("whole").asBoolean())
                .isTrue();
        System.out.println(KILLS + " kills in " + releases + " releases, by phase: " + killedIn);
    }

    private void run(BlueGreenRun release, int kills) throws Exception {
        release.start(server.api(), "1s");
        for (int kill = 0; kill < kills; kill++) {
            operate(release, random.nextInt(2_000_000_000));
            JsonNode before = release.view(server.api());
            server.kill();
            killedIn.merge(BlueGreenRun.phase(before), 1, Integer::sum);
            startServer();
            assertServedTimeCounts(before, release.view(server.api()));
        }
        await().atMost(PATIENCE).until(() -> release.letOn(server.api()));
        release.assertUndisturbed(server.api(), desk);
    }

    /** Until a random moment of the release, which is what this is about; nothing is waited for. */
    private void operate(BlueGreenRun release, long nanos) {
        long until = System.nanoTime() + nanos;
        for (long left = nanos; left > 0; left = until - System.nanoTime()) {
            release.letOn(server.api());
            LockSupport.parkNanos(Math.min(left, TimeUnit.MILLISECONDS.toNanos(100)));
        }
    }

    /** On the same weight nothing is served twice; the release may have gone on between the two looks. */
    private static void assertServedTimeCounts(JsonNode before, JsonNode after) {
        boolean isSameStage = before.path("step").equals(after.path("step"))
                && before.path("phase").equals(after.path("phase"))
                && before.has("heldMillis");
        if (isSameStage) {
            assertThat(after.path("heldMillis").asLong())
                    .isGreaterThanOrEqualTo(before.path("heldMillis").asLong());
        }
        assertThat(after.path("step").asLong())
                .isGreaterThanOrEqualTo(before.path("step").asLong());
    }
}
