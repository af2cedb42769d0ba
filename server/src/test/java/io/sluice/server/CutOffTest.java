package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.core.observation.ServedRequests;
import io.sluice.core.rule.ReleaseRule;
import io.sluice.testing.Line;
import io.sluice.testing.Requirement;
import io.sluice.wire.remote.RemoteRuleSource;
import io.sluice.wire.remote.WorkloadReporter;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Processes that hear nothing of an abort, since their lines have fallen silent. */
class CutOffTest {
    private static final String ID = "release-2026-11";
    private static final List<String> CUT_OFF = List.of("order@blind:1", "order@deaf:1");

    @TempDir
    Path data;

    private ChildServer server;
    private Line deaf;
    private Line blind;
    private final Map<String, Follower> followers = new TreeMap<>();

    @BeforeEach
    void start() throws Exception {
        server = ChildServer.start(data);
        URI address = server.api().server();
        deaf = Line.to(address.getPort());
        blind = Line.to(address.getPort());
        follow("gateway@here:1", address);
        follow("order@here:1", address);
        follow("order@deaf:1", URI.create("http://127.0.0.1:" + deaf.port()));
        follow("order@blind:1", URI.create("http://127.0.0.1:" + blind.port()));
        // Who has reported once only is a guest, and forgotten when it is silent.
        until(() -> followers.values().stream().allMatch(Follower::isEstablished));
    }

    @AfterEach
    void stop() throws Exception {
        followers.values().forEach(Follower::close);
        deaf.close();
        blind.close();
        server.close();
    }

    @Test
    @Requirement("F22")
    void whoIsCutOffDuringAnAbortIsNamedUntilItHasAppliedIt() {
        server.api().post("/api/v1/releases", Api.release(ID, "order", "10m"));
        command("start");
        until(() -> unapplied(view()).isEmpty());
        deaf.silence();
        blind.vanish();

        JsonNode aborted = command("abort");
        List<List<String>> named = new ArrayList<>(List.of(unapplied(aborted)));
        until(() -> {
            JsonNode view = view();
            named.add(unapplied(view));
            return names(view, "unreached").equals(CUT_OFF) && unapplied(view).equals(CUT_OFF);
        });

        assertThat(named).allSatisfy(each -> assertThat(each).containsAll(CUT_OFF));
        assertThat(CUT_OFF).noneMatch(name -> followers.get(name).hasAborted());
        deaf.heal();
        until(() -> {
            List<String> still = unapplied(view());
            assertThat(still).contains("order@blind:1");
            // Asked after the view was made, so who is not named must have it.
            assertThat(followers.get("order@deaf:1").hasAborted() || still.contains("order@deaf:1"))
                    .isTrue();
            return !still.contains("order@deaf:1");
        });
        blind.heal();
        until(() -> unapplied(view()).isEmpty() && names(view(), "unreached").isEmpty());
        assertThat(followers.values()).allMatch(Follower::hasAborted);
    }

    private void follow(String instance, URI address) {
        followers.put(instance, new Follower(instance, address));
    }

    private JsonNode command(String command) {
        Api.Answer answer = server.api().post("/api/v1/releases/" + ID + "/" + command, "{\"why\":\"because\"}");
        assertThat(answer.status()).isEqualTo(200);
        return answer.body();
    }

    private JsonNode view() {
        return server.api().get("/api/v1/releases/" + ID).body();
    }

    private static List<String> unapplied(JsonNode view) {
        return names(view, "unapplied");
    }

    private static List<String> names(JsonNode view, String field) {
        return view.required(field).valueStream().map(JsonNode::asString).toList();
    }

    private static void until(Callable<Boolean> condition) {
        await().pollInterval(Duration.ofMillis(200)).until(condition);
    }

    /** What a process has of the SDK; its last good rules are nowhere. */
    private final class Follower implements AutoCloseable {
        private static final long ESTABLISHED_NANOS = 3_500_000_000L;

        private final String instance;
        private final RemoteRuleSource rules;
        private final ServedRequests served = new ServedRequests();
        private final WorkloadReporter reporter;
        private long firstSeen;

        Follower(String instance, URI address) {
            this.instance = instance;
            this.rules = RemoteRuleSource.builder(address).start();
            this.reporter = WorkloadReporter.builder(
                            address, rules, served, instance.substring(0, instance.indexOf('@')), instance)
                    .start();
        }

        /** Whether a report was taken well after the first. */
        boolean isEstablished() {
            JsonNode known = server.api()
                    .get("/api/v1/workloads")
                    .body()
                    .path("workloads")
                    .valueStream()
                    .filter(each -> each.path("instance").asString().equals(instance))
                    .findFirst()
                    .orElse(null);
            if (known != null && firstSeen == 0) {
                firstSeen = System.nanoTime();
            }
            boolean isDue = firstSeen != 0 && System.nanoTime() - firstSeen >= ESTABLISHED_NANOS;
            if (isDue && served.begun() == 0) {
                served.begin();
            }
            return isDue && known != null && known.path("requests").asLong() > 0;
        }

        boolean hasAborted() {
            return rules.current().releases().stream().anyMatch(ReleaseRule::isAborted);
        }

        @Override
        public void close() {
            reporter.close();
            rules.close();
        }
    }
}
