package io.sluice.center.nacos;

import io.sluice.center.ConfigCenter;
import io.sluice.center.RealServer;
import io.sluice.testing.NacosServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** The Nacos of {@code testing/nacos-server}, and how tests reach it. */
final class RealNacos implements RealServer {
    private static final String NAMESPACE = "shop";
    private static final String GROUP = "sluice";

    private final NacosServer server;

    private RealNacos(NacosServer server) {
        this.server = server;
    }

    static RealNacos start(Path home, Path clientFiles) throws IOException {
        // Nacos's client knows these for a whole process only. Its files are to be a test's own; its port for gRPC,
        // where it
        // would add 1,000, is to be the port it is given, which may be that of a line; and writer and reader are one
        // process
        // here, which together ask more often than it lets one ask.
        System.setProperty("JM.SNAPSHOT.PATH", clientFiles.toString());
        System.setProperty("JM.LOG.PATH", clientFiles.toString());
        System.setProperty("nacos.server.grpc.port.offset", "0");
        System.setProperty("limitTime", "1000");
        RealNacos started = new RealNacos(NacosServer.start(home));
        started.warmUp();
        return started;
    }

    /** Nacos's client, too, takes longer for the first time than for all that comes after. */
    private void warmUp() {
        try (ConfigCenter first = connect(port(), "warm-up")) {
            first.write(new byte[] {'1'}, Duration.ofSeconds(30));
        }
    }

    NacosServer nacos() {
        return server;
    }

    @Override
    public int port() {
        return server.port() + 1000;
    }

    @Override
    public ConfigCenter connect(int port, String name) {
        return NacosCenter.of("127.0.0.1:" + port + "/" + NAMESPACE + "/" + GROUP + "/" + name);
    }

    @Override
    public void delete(String name) throws IOException {
        server.delete(NAMESPACE, GROUP, name);
    }

    /** Nacos takes no empty document, by whatever means: there is none then. */
    @Override
    public void empty(String name) throws IOException {
        server.delete(NAMESPACE, GROUP, name);
    }

    @Override
    public void kill() {
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
