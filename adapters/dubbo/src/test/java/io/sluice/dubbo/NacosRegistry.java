package io.sluice.dubbo;

import io.sluice.testing.NacosServer;
import java.io.IOException;
import java.nio.file.Path;

/** The Nacos of {@code testing/nacos-server}. It forgets all instances when it ends, and their clients register them again. */
final class NacosRegistry implements TestRegistry {
    private final NacosServer server;

    private NacosRegistry(NacosServer server) {
        this.server = server;
    }

    static NacosRegistry start(Path home) throws IOException {
        return new NacosRegistry(NacosServer.start(home));
    }

    @Override
    public String url() {
        return "nacos://127.0.0.1:" + server.port();
    }

    @Override
    public void stop() {
        server.kill();
    }

    @Override
    public void restart() throws IOException {
        server.restart();
    }

    @Override
    public void close() {
        server.close();
    }
}
