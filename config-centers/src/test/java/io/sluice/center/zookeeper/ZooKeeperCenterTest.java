package io.sluice.center.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.center.CenterException;
import io.sluice.center.CenterRuleSource;
import io.sluice.center.ConfigCenter;
import io.sluice.center.RealServer;
import io.sluice.center.Refusal;
import io.sluice.center.Rules;
import io.sluice.center.ServedCenterContract;
import io.sluice.core.rule.RuleSet;
import io.sluice.testing.Requirement;
import java.time.Duration;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.junit.jupiter.api.Test;

class ZooKeeperCenterTest extends ServedCenterContract {
    @Override
    protected RealServer startCenter() throws Exception {
        return new RealZooKeeper();
    }

    @Test
    @Requirement("F10")
    void anExpiredSessionIsSurvived() throws Exception {
        put(R7);
        ZooKeeperCenter center = (ZooKeeperCenter) real.connect(name);
        CenterRuleSource source = follow(CenterRuleSource.builder(center).rereadEvery(Duration.ofHours(1)));
        warmUp(source);
        long session = center.client().getZookeeperClient().getZooKeeper().getSessionId();

        center.client().getZookeeperClient().getZooKeeper().getTestable().injectSessionExpiration();
        RuleSet meanwhile = Rules.at(1_000, 25);
        put(meanwhile);

        await().until(() -> source.current().equals(meanwhile));
        RuleSet after = Rules.at(1_001, 50);
        put(after);
        await().until(() -> source.current().equals(after));
        assertThat(center.client().getZookeeperClient().getZooKeeper().getSessionId())
                .isNotEqualTo(session);
    }

    @Test
    @Requirement({"F11", "T22"})
    void whoMayNotReadKeepsItsRulesAndWhoMayNotWriteIsRefused() throws Exception {
        String address = "127.0.0.1:" + server().port() + "/sluice/" + name;
        ZooKeeperCenter server = open(ZooKeeperCenter.of(address, "server", "secret"));
        server.write(Rules.envelope(R7), WITHIN);

        CenterRuleSource order =
                follow(CenterRuleSource.builder(ZooKeeperCenter.of(address)).rereadEvery(Duration.ofMillis(500)));
        await().until(() -> order.current().equals(R7));
        assertThatThrownBy(() -> writer.write(new byte[] {1}, WITHIN))
                .isInstanceOfSatisfying(
                        CenterException.class,
                        refused -> assertThat(refused.isDenied()).isTrue());

        server.client()
                .setACL()
                .withACL(List.of(new ACL(ZooDefs.Perms.ALL, new Id("auth", ""))))
                .forPath("/sluice/" + name);

        await().until(() -> order.refused(Refusal.DENIED) > 0);
        assertThat(order.current()).isEqualTo(R7);
    }

    private static final class RealZooKeeper implements RealServer {
        private final TestingServer server;

        RealZooKeeper() throws Exception {
            server = new TestingServer(InstanceSpec.newInstanceSpec(), true);
        }

        @Override
        public int port() {
            return server.getPort();
        }

        @Override
        public ConfigCenter connect(int port, String name) {
            return ZooKeeperCenter.of("127.0.0.1:" + port + "/sluice/" + name);
        }

        @Override
        public void delete(String name) throws Exception {
            try (CuratorFramework client = client()) {
                client.delete().forPath("/sluice/" + name);
            }
        }

        @Override
        public void empty(String name) throws Exception {
            try (CuratorFramework client = client()) {
                client.setData().forPath("/sluice/" + name, new byte[0]);
            }
        }

        private CuratorFramework client() {
            CuratorFramework client =
                    CuratorFrameworkFactory.newClient("127.0.0.1:" + server.getPort(), new RetryOneTime(100));
            client.start();
            return client;
        }

        @Override
        public void kill() throws Exception {
            server.stop();
        }

        @Override
        public void restart() throws Exception {
            server.restart();
        }

        @Override
        public void close() throws Exception {
            server.close();
        }
    }
}
