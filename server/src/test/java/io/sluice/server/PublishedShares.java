package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Follows the rules of servers by their streams, as processes do, and keeps whatever was ever published. */
final class PublishedShares implements AutoCloseable {
    /** Blue's shares in the course of a release, when nothing interferes; -1 before and after. */
    static final List<Integer> OF_BLUE = List.of(-1, 0, 10, 100, 50, -1);

    private static final JsonMapper JSON = new JsonMapper();
    private static final String RULES = "data: {";

    private final Map<String, List<Seen>> byServer = new HashMap<>();
    private volatile boolean isOver;

    /** A rule set as it came. */
    private record Seen(long epoch, long revision, JsonNode channels) {
        int blue() {
            JsonNode flow = channels.path(0).path("flow");
            return flow.isMissingNode() ? -1 : flow.path("bluePercent").asInt();
        }
    }

    /** @param server may be another one each time, where it is killed and starts again */
    PublishedShares follow(String name, Supplier<Api> server) {
        List<Seen> seen = new CopyOnWriteArrayList<>();
        byServer.put(name, seen);
        Thread reader = new Thread(() -> follow(server, seen), "shares-of-" + name);
        reader.setDaemon(true);
        reader.start();
        return this;
    }

    private void follow(Supplier<Api> server, List<Seen> seen) {
        while (!isOver) {
            try (InputStream stream = server.get().withToken("").stream("/api/v1/rules/stream");
                    BufferedReader lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    if (line.startsWith(RULES)) {
                        JsonNode rules = JSON.readTree(line.substring(RULES.length() - 1));
                        seen.add(new Seen(
                                rules.path("epoch").asLong(),
                                rules.path("revision").asLong(),
                                rules.path("channels")));
                    }
                }
            } catch (IOException | RuntimeException away) {
                LockSupport.parkNanos(50_000_000);
            } catch (InterruptedException ended) {
                return;
            }
        }
    }

    /** That no server ever showed a share outside of these, nor one after a later one, nor one revision in two ways. */
    void assertOnPlan(List<Integer> plan) {
        Map<String, JsonNode> byRevision = new HashMap<>();
        byServer.forEach((server, seen) -> {
            assertThat(seen).as("what %s published", server).isNotEmpty();
            assertThat(isInOrder(shares(seen), plan))
                    .as("%s published %s, of %s", server, shares(seen), plan)
                    .isTrue();
            assertThat(seen.stream().map(each -> each.epoch * 1_000_000 + each.revision))
                    .as("revisions of %s", server)
                    .isSorted();
            for (Seen each : seen) {
                JsonNode same = byRevision.putIfAbsent(each.epoch + "." + each.revision, each.channels);
                assertThat(same == null || same.equals(each.channels))
                        .as("revision %s on %s", each.revision, server)
                        .isTrue();
            }
        });
    }

    /** What so many releases after each other give, when nothing interferes. */
    static List<Integer> timesOver(int releases) {
        return IntStream.range(0, releases)
                .boxed()
                .flatMap(release -> OF_BLUE.stream())
                .toList();
    }

    /** All shares that were seen on any server. */
    List<Integer> all() {
        return byServer.values().stream()
                .flatMap(seen -> shares(seen).stream())
                .distinct()
                .sorted()
                .toList();
    }

    private static List<Integer> shares(List<Seen> seen) {
        List<Integer> shares = new ArrayList<>();
        for (Seen each : seen) {
            if (shares.isEmpty() || shares.get(shares.size() - 1) != each.blue()) {
                shares.add(each.blue());
            }
        }
        return shares;
    }

    /** A stream may pass over what is replaced quickly, so some may be missing. */
    private static boolean isInOrder(List<Integer> shares, List<Integer> plan) {
        int at = 0;
        for (int share : shares) {
            while (at < plan.size() && plan.get(at) != share) {
                at++;
            }
            if (at++ == plan.size()) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() {
        isOver = true;
    }
}
