package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.center.CenterRuleSource;
import io.sluice.center.nacos.NacosCenter;
import io.sluice.testing.NacosServer;
import io.sluice.testing.Requirement;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real server, a real Nacos, and a process that knows nothing of the server. */
@Timeout(600)
class NacosPublishingTest {
    @TempDir
    Path data;

    @TempDir
    Path home;

    @Test
    @Requirement("D1")
    void processesFollowTheServerThroughNacos() throws Exception {
        System.setProperty("JM.SNAPSHOT.PATH", data.toString());
        try (NacosServer nacos = NacosServer.start(home)) {
            String address = "127.0.0.1:" + nacos.port() + "/shop/sluice/rules";
            try (ChildServer server = ChildServer.start(data.resolve("db"), "--publish-to=nacos=" + address);
                    CenterRuleSource order =
                            CenterRuleSource.builder(NacosCenter.of(address)).start()) {
                Api api = server.api();
                api.post("/api/v1/releases", Api.release("r", "order", "1h"));
                api.post("/api/v1/releases/r/start", "{\"why\":\"go\"}");
                await().until(() -> order.current().release("r") != null);
                assertThat(order.current().release("r").isAborted()).isFalse();

                nacos.delete("shop", "sluice", "rules");
                api.post("/api/v1/releases/r/abort", "{\"why\":\"stop\"}");

                await().until(() -> order.current().release("r").isAborted());
            }
        }
    }
}
