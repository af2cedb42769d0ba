package io.sluice.center.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.sluice.center.ConfigCenter;
import io.sluice.center.RealServer;
import io.sluice.testing.EtcdProcess;

/** The etcd of the operating system, as a centre. */
final class RealEtcd implements RealServer {
    private final EtcdProcess etcd = EtcdProcess.start();

    @Override
    public int port() {
        return etcd.port();
    }

    @Override
    public ConfigCenter connect(int port, String name) {
        return EtcdCenter.of("http://127.0.0.1:" + port + "/sluice/" + name);
    }

    @Override
    public void delete(String name) throws Exception {
        try (Client client = client()) {
            client.getKVClient().delete(key(name)).get();
        }
    }

    @Override
    public void empty(String name) throws Exception {
        try (Client client = client()) {
            client.getKVClient().put(key(name), ByteSequence.EMPTY).get();
        }
    }

    /** Forgets all revisions but the newest. */
    void compact() throws Exception {
        try (Client client = client()) {
            long newest = client.getKVClient().get(key("any")).get().getHeader().getRevision();
            client.getKVClient().compact(newest).get();
        }
    }

    Client client() {
        return Client.builder().endpoints("http://127.0.0.1:" + etcd.port()).build();
    }

    private static ByteSequence key(String name) {
        return ByteSequence.from("/sluice/" + name, UTF_8);
    }

    @Override
    public void kill() throws Exception {
        etcd.kill();
    }

    @Override
    public void restart() throws Exception {
        etcd.restart();
    }

    @Override
    public void close() throws Exception {
        etcd.close();
    }
}
