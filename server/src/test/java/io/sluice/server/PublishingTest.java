package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.center.CenterRuleSource;
import io.sluice.center.ConfigCenter;
import io.sluice.center.etcd.EtcdCenter;
import io.sluice.center.file.FileCenter;
import io.sluice.center.zookeeper.ZooKeeperCenter;
import io.sluice.core.rule.RuleSet;
import io.sluice.testing.EtcdProcess;
import io.sluice.testing.NeedsProgram;
import io.sluice.testing.Requirement;
import io.sluice.wire.RuleEnvelope;
import io.sluice.wire.RuleVerifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A real server, real centres, and processes that know nothing of the server. */
@NeedsProgram(value = EtcdProcess.PROGRAM, install = EtcdProcess.INSTALL)
@Timeout(600)
class PublishingTest {
    @TempDir
    Path data;

    @Test
    @Requirement({"D1", "D4", "F12"})
    void processesFollowTheServerThroughEveryCentre() throws Exception {
        KeyPair keys = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        Path secret = data.resolve("key");
        Files.writeString(
                secret, Base64.getEncoder().encodeToString(keys.getPrivate().getEncoded()));
        RuleVerifier trusted = RuleVerifier.of(List.of(keys.getPublic()));
        try (EtcdProcess etcd = EtcdProcess.start();
                TestingServer zooKeeper = new TestingServer(true)) {
            String etcdAddress = "http://127.0.0.1:" + etcd.port() + "/sluice/rules";
            // Named twice, as the servers of a cluster are named.
            String zooKeeperServer = "127.0.0.1:" + zooKeeper.getPort();
            String zooKeeperAddress = zooKeeperServer + "," + zooKeeperServer + "/sluice/rules";
            Path file = data.resolve("rules.json");
            try (ChildServer server = ChildServer.start(
                            data.resolve("db"),
                            "--publish-to=etcd=" + etcdAddress,
                            "--publish-to=zookeeper=" + zooKeeperAddress,
                            "--publish-to=file=" + file,
                            "--signing-key=" + secret);
                    CenterRuleSource byEtcd = follow(EtcdCenter.of(etcdAddress), trusted);
                    CenterRuleSource byZooKeeper = follow(ZooKeeperCenter.of(zooKeeperAddress), trusted);
                    CenterRuleSource byFile = follow(FileCenter.of(file), trusted)) {
                Api api = server.api();
                api.post("/api/v1/releases", Api.release("r", "order", "1h"));
                api.post("/api/v1/releases/r/start", "{\"why\":\"go\"}");

                await().until(() -> isAt(byEtcd, 10) && isAt(byZooKeeper, 10) && isAt(byFile, 10));

                etcd.kill();
                api.post("/api/v1/releases/r/abort", "{\"why\":\"stop\"}");
                await().until(() -> byZooKeeper.current().release("r").isAborted()
                        && byFile.current().release("r").isAborted());
                assertThat(byEtcd.current().release("r").isAborted()).isFalse();
                await().until(() -> !target(api, 0).path("lastError").isMissingNode());
                assertThat(target(api, 0).path("lagMillis").asLong()).isPositive();
                await().until(() -> target(api, 1).path("lagMillis").asLong() == 0);

                etcd.restart();
                await().until(() -> byEtcd.current().release("r").isAborted());
                forge(etcdAddress, byEtcd.current());
                await().until(() -> target(api, 0).path("repairs").asLong() == 1);
                assertThat(byEtcd.current().release("r").isAborted()).isTrue();
                assertThat(server.api()
                                .withToken("")
                                .get("/api/v1/rules/targets")
                                .status())
                        .isEqualTo(401);
            }
        }
    }

    private static void forge(String address, RuleSet current) {
        try (ConfigCenter center = EtcdCenter.of(address)) {
            RuleSet forged = RuleSet.of(current.epoch(), current.revision() + 1_000, List.of());
            center.write(RuleEnvelope.of(forged).write(), Duration.ofSeconds(60));
        }
    }

    private static boolean isAt(CenterRuleSource source, int percent) {
        var release = source.current().release("r");
        return release != null && release.split().percent().toString().startsWith(String.valueOf(percent));
    }

    private static JsonNode target(Api api, int index) {
        return api.get("/api/v1/rules/targets").body().path(index);
    }

    private static CenterRuleSource follow(ConfigCenter center, RuleVerifier trusted) {
        return CenterRuleSource.builder(center).verifier(trusted).start();
    }
}
