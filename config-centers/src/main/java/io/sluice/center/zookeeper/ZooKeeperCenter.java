package io.sluice.center.zookeeper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.sluice.center.CenterAddress;
import io.sluice.center.CenterException;
import io.sluice.center.ConfigCenter;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.BackgroundCallback;
import org.apache.curator.framework.api.CuratorEvent;
import org.apache.curator.framework.recipes.watch.PersistentWatcher;
import org.apache.curator.retry.RetryNTimes;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.jspecify.annotations.Nullable;

/**
 * A node in ZooKeeper, 3.6 or newer.
 *
 * <p>ZooKeeper tells nothing of what happened while a client was away; so the reader is also told, and reads, whenever the
 * connection or a new session is there. An older server knows no lasting watches: changes are then found by reading again.
 */
public final class ZooKeeperCenter implements ConfigCenter {
    // A server that went silent is given up after two thirds of it.
    private static final int SESSION_MILLIS = 10_000;
    private static final int CONNECT_MILLIS = 3_000;
    private static final int ANY_VERSION = -1;
    private static final List<ACL> OURS_AND_READABLE = Stream.concat(
                    ZooDefs.Ids.CREATOR_ALL_ACL.stream(), ZooDefs.Ids.READ_ACL_UNSAFE.stream())
            .toList();

    private final CuratorFramework client;
    private final PersistentWatcher watcher;
    private final String path;
    private final List<ACL> acl;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    private ZooKeeperCenter(CuratorFramework client, String path, List<ACL> acl) {
        this.client = client;
        this.path = path;
        this.acl = acl;
        this.watcher = new PersistentWatcher(client, path, false);
        client.getConnectionStateListenable().addListener((any, state) -> {
            if (state.isConnected()) {
                tell();
            }
        });
        watcher.getListenable().addListener(event -> tell());
        watcher.getResetListenable().addListener(this::tell);
        client.start();
        watcher.start();
    }

    /**
     * The node {@code /sluice/rules} of {@code 127.0.0.1:2181/sluice/rules}; of several servers, all are named:
     * {@code one:2181,two:2181/sluice/rules}. A node that is made here is open to everybody.
     *
     * @throws io.sluice.core.problem.RefusedException when it is no such address
     */
    public static ZooKeeperCenter of(String address) {
        CenterAddress at = CenterAddress.parse(address);
        return new ZooKeeperCenter(settings(at).build(), at.path(), ZooDefs.Ids.OPEN_ACL_UNSAFE);
    }

    /** The same as a user of the scheme {@code digest}; only it may change a node that is made here, and all may read it. */
    public static ZooKeeperCenter of(String address, String user, String password) {
        CenterAddress at = CenterAddress.parse(address);
        CuratorFramework client = settings(at)
                .authorization("digest", (user + ":" + password).getBytes(UTF_8))
                .build();
        return new ZooKeeperCenter(client, at.path(), OURS_AND_READABLE);
    }

    private static CuratorFrameworkFactory.Builder settings(CenterAddress at) {
        return CuratorFrameworkFactory.builder()
                .connectString(String.join(",", at.servers()))
                .sessionTimeoutMs(SESSION_MILLIS)
                .connectionTimeoutMs(CONNECT_MILLIS)
                // Who asks asks again; a second asking in here would only be longer than the time it has.
                .retryPolicy(new RetryNTimes(0, 0));
    }

    @Override
    public Optional<byte[]> read(Duration within) {
        CuratorEvent held = get(within);
        return Optional.ofNullable(document(held));
    }

    @Override
    public Watch watch(Runnable mayHaveChanged) {
        listeners.add(mayHaveChanged);
        return () -> listeners.remove(mayHaveChanged);
    }

    @Override
    public void write(byte[] document, Duration within) {
        CuratorEvent set = set(document, ANY_VERSION, within);
        if (code(set) == Code.NONODE) {
            require(create(document, within), Code.OK);
        } else {
            require(set, Code.OK);
        }
    }

    @Override
    public boolean writeOver(byte @Nullable [] seen, byte[] document, Duration within) {
        CuratorEvent held = get(within);
        if (!Arrays.equals(seen, document(held))) {
            return false;
        }
        CuratorEvent written = code(held) == Code.NONODE
                ? create(document, within)
                : set(document, held.getStat().getVersion(), within);
        require(written, Code.OK, Code.NODEEXISTS, Code.NONODE, Code.BADVERSION);
        return code(written) == Code.OK;
    }

    @Override
    public void close() {
        listeners.clear();
        watcher.close();
        client.close();
    }

    @Override
    public String toString() {
        return "ZooKeeper node " + path;
    }

    CuratorFramework client() {
        return client;
    }

    private void tell() {
        listeners.forEach(Runnable::run);
    }

    private CuratorEvent get(Duration within) {
        CuratorEvent held =
                ask(within, answer -> client.getData().inBackground(answer).forPath(path));
        return require(held, Code.OK, Code.NONODE);
    }

    private static byte @Nullable [] document(CuratorEvent held) {
        byte[] data = code(held) == Code.OK ? held.getData() : null;
        return data == null || data.length == 0 ? null : data;
    }

    private CuratorEvent set(byte[] document, int version, Duration within) {
        return ask(
                within,
                answer -> client.setData()
                        .withVersion(version)
                        .inBackground(answer)
                        .forPath(path, document));
    }

    private CuratorEvent create(byte[] document, Duration within) {
        return ask(
                within,
                answer -> client.create()
                        .creatingParentsIfNeeded()
                        .withACL(acl)
                        .inBackground(answer)
                        .forPath(path, document));
    }

    /** Asks in the background, since Curator would wait in the foreground for as long as it likes. */
    private CuratorEvent ask(Duration within, Question question) {
        CompletableFuture<CuratorEvent> answer = new CompletableFuture<>();
        try {
            question.ask((any, event) -> answer.complete(event));
            return answer.get(within.toNanos(), NANOSECONDS);
        } catch (ExecutionException | TimeoutException silence) {
            throw CenterException.unanswered(this + ": no answer within " + within, silence);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw CenterException.unanswered(this + ": interrupted", stop);
        } catch (Exception refused) {
            // All that Curator declares; a closed client throws an unchecked one.
            throw CenterException.unanswered(this + ": " + refused, refused);
        }
    }

    private CuratorEvent require(CuratorEvent event, Code... allowed) {
        Code code = code(event);
        if (Arrays.asList(allowed).contains(code)) {
            return event;
        }
        KeeperException failure = KeeperException.create(code, path);
        if (code == Code.NOAUTH || code == Code.AUTHFAILED) {
            throw CenterException.denied(this + ": " + failure.getMessage(), failure);
        }
        throw CenterException.unanswered(this + ": " + failure.getMessage(), failure);
    }

    private static Code code(CuratorEvent event) {
        return Code.get(event.getResultCode());
    }

    private interface Question {
        void ask(BackgroundCallback answer) throws Exception;
    }
}
