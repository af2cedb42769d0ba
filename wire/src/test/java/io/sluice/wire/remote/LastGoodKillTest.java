package io.sluice.wire.remote;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.core.decision.BucketHash;
import io.sluice.core.decision.Bucketing;
import io.sluice.core.decision.Percent;
import io.sluice.core.decision.Weighted;
import io.sluice.core.rule.ReleaseRule;
import io.sluice.core.rule.RuleSet;
import io.sluice.testing.Requirement;
import io.sluice.wire.WorkloadReport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that is killed at random moments while rules are published one after the other, and started again without any server:
 * it decides by a whole published revision, and by none that is older than what it had told the server that it has applied.
 * {@code -Dsluice.kills=50} for more, {@code -Dsluice.seed} for the same moments.
 */
@Requirement("F2")
@Timeout(1800)
class LastGoodKillTest {
    private static final int KILLS = Integer.getInteger("sluice.kills", 10);
    private static final long SEED = Long.getLong("sluice.seed", System.nanoTime());

    @TempDir
    Path temp;

    @Test
    void whatWasToldAsAppliedIsThereAfterAKillWithoutAnyServer() throws Exception {
        Random random = new Random(SEED);
        FakeServer server = FakeServer.of(at(1));
        long published = 1;
        long longest = 0;
        int newest = 0;
        FollowingProcess process = FollowingProcess.start(server.address(), temp);
        try {
            assertThat(process.ready().state()).isEqualTo("FRESH");
            for (int kill = 1; kill <= KILLS; kill++) {
                await().until(() -> server.openStreams() == 1);
                long enough = published + 1 + random.nextInt(30);
                long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
                while (told(server) < enough && System.nanoTime() < deadline) {
                    server.publish(at(++published));
                    pause(random.nextInt(3_000_000));
                }
                process.kill();
                long told = told(server);
                server.stop();

                process = FollowingProcess.start(server.address(), temp);
                FollowingProcess.Ready ready = process.ready();

                assertThat(ready.state()).as("seed %d, kill %d", SEED, kill).isEqualTo("LAST_KNOWN_GOOD");
                assertThat(ready.revision()).as("seed %d, kill %d", SEED, kill).isBetween(told, published);
                assertThat(ready.lanes()).as("seed %d, kill %d", SEED, kill).isEqualTo(oracle(ready.revision()));
                longest = Math.max(longest, ready.took().toMillis());
                newest += ready.revision() == published ? 1 : 0;
                server.start();
            }
        } finally {
            process.close();
            server.close();
        }
        System.out.printf(
                "%d kills in %d revisions, seed %d: none told is lost, %d times the very newest; start %d ms at most%n",
                KILLS, published, SEED, newest, longest);
    }

    private static long told(FakeServer server) {
        return server.workloads.stream()
                .mapToLong(WorkloadReport::revision)
                .max()
                .orElse(0);
    }

    /** A moment of the publisher's, which decides nothing but when the kill comes. */
    private static void pause(int nanos) {
        long end = System.nanoTime() + nanos;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    private static RuleSet at(long revision) {
        return RuleSet.of(
                1,
                revision,
                List.of(new ReleaseRule(
                        "r",
                        "v" + revision,
                        List.of("order"),
                        new Weighted(
                                Bucketing.of(BucketHash.FNV1A, salt(revision)),
                                Percent.of(percent(revision)),
                                Set.of()),
                        List.of(),
                        revision,
                        Duration.ofMillis(300))));
    }

    private static String salt(long revision) {
        return "salt-" + revision;
    }

    private static int percent(long revision) {
        return (int) (revision % 101);
    }

    /** The page about the split, read once more: FNV-1a over salt, zero and id; unsigned; below the share in hundredths. */
    private static String oracle(long revision) {
        StringBuilder lanes = new StringBuilder();
        for (int i = 0; i < FollowingProcess.CUSTOMERS; i++) {
            int hash = 0x811c9dc5;
            for (byte b : (salt(revision) + "\0c-" + i).getBytes(UTF_8)) {
                hash = (hash ^ (b & 0xff)) * 0x01000193;
            }
            lanes.append(Integer.remainderUnsigned(hash, 10_000) < 100 * percent(revision) ? 'c' : 's');
        }
        return lanes.toString();
    }
}
