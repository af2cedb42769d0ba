package io.sluice.dubbo;

import java.io.IOException;
import org.apache.curator.test.TestingServer;

/** A ZooKeeper in this JVM. What was registered in it is still there when it is back. */
final class ZooKeeperRegistry implements TestRegistry {
    private final TestingServer server;

    private ZooKeeperRegistry(TestingServer server) {
        this.server = server;
    }

    static ZooKeeperRegistry start() throws Exception {
        return new ZooKeeperRegistry(new TestingServer());
    }

    @Override
    public String url() {
        return "zookeeper://" + server.getConnectString();
    }

    @Override
    public void stop() throws IOException {
        server.stop();
    }

    @Override
    public void restart() throws Exception {
        server.restart();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
