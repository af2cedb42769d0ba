package io.sluice.center.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.ClientBuilder;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.common.exception.EtcdException;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.CmpTarget;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.PutOption;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.GrpcSslContexts;
import io.sluice.center.CenterException;
import io.sluice.center.ConfigCenter;
import io.sluice.core.problem.RefusedException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A key in etcd.
 *
 * <p>A watch is registered some time after jetcd says so, and etcd forgets old revisions; so every watch begins right after
 * the revision of a read, and one that ended is followed by a read, which begins the next.
 *
 * <p>A connection that failed is thrown away: gRPC lets up to two minutes go by before it tries a lost server again.
 */
public final class EtcdCenter implements ConfigCenter {
    // Servers cut off clients that ping more often than each 5 s.
    private static final Duration PING_EVERY = Duration.ofSeconds(10);
    private static final Duration PING_WITHIN = Duration.ofSeconds(5);
    private static final Duration CONNECT_WITHIN = Duration.ofSeconds(3);

    // A call, and one more with a fresh token when the old one ran out.
    private static final int ATTEMPTS = 2;

    private static final Set<String> DENIALS = Set.of("PERMISSION_DENIED", "UNAUTHENTICATED", "INVALID_ARGUMENT");

    private final ClientBuilder settings;
    private final ByteSequence key;
    private final String name;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    // Guarded by this.
    private @Nullable EtcdConnection connection;
    private boolean isClosed;

    private EtcdCenter(ClientBuilder settings, String key) {
        this.settings = settings;
        this.key = ByteSequence.from(key, UTF_8);
        this.name = "etcd key " + key;
    }

    /**
     * The key {@code /sluice/rules} of {@code http://127.0.0.1:2379/sluice/rules}; of several servers, all are named:
     * {@code http://one:2379,two:2379/sluice/rules}. With {@code https}, servers are known by what the JVM trusts.
     *
     * @throws RefusedException when it is no such address
     */
    public static EtcdCenter of(String address) {
        EtcdAddress at = EtcdAddress.parse(address);
        return new EtcdCenter(settings(at), at.key());
    }

    /** The same as a user, by name and password. */
    public static EtcdCenter of(String address, String user, String password) {
        EtcdAddress at = EtcdAddress.parse(address);
        ClientBuilder settings =
                settings(at).user(ByteSequence.from(user, UTF_8)).password(ByteSequence.from(password, UTF_8));
        return new EtcdCenter(settings, at.key());
    }

    /** A key by a client of the caller's own settings, as for client certificates. */
    public static EtcdCenter of(ClientBuilder settings, String key) {
        return new EtcdCenter(settings.copy(), key);
    }

    private static ClientBuilder settings(EtcdAddress at) {
        ClientBuilder settings = Client.builder()
                .endpoints(at.servers())
                .waitForReady(false)
                .connectTimeout(CONNECT_WITHIN)
                .keepaliveTime(PING_EVERY)
                .keepaliveTimeout(PING_WITHIN)
                .keepaliveWithoutCalls(true)
                .retryMaxAttempts(ATTEMPTS);
        try {
            return at.isSecret()
                    ? settings.sslContext(GrpcSslContexts.forClient().build())
                    : settings;
        } catch (SSLException unusable) {
            throw new RefusedException("", "https://...", "must be http:// here: this JVM cannot do TLS, " + unusable);
        }
    }

    @Override
    public Optional<byte[]> read(Duration within) {
        return Optional.ofNullable(document(get(within)));
    }

    @Override
    public Watch watch(Runnable mayHaveChanged) {
        listeners.add(mayHaveChanged);
        // The read that follows from this begins the watch.
        mayHaveChanged.run();
        return () -> listeners.remove(mayHaveChanged);
    }

    @Override
    public void write(byte[] document, Duration within) {
        EtcdConnection connection = connection();
        ask(connection, within, connection.client().getKVClient().put(key, ByteSequence.from(document)));
    }

    @Override
    public boolean writeOver(byte @Nullable [] seen, byte[] document, Duration within) {
        GetResponse held = get(within);
        if (!Arrays.equals(seen, document(held))) {
            return false;
        }
        // Revision 0 is that of a key which is not there.
        long revision = held.getKvs().stream()
                .mapToLong(KeyValue::getModRevision)
                .findFirst()
                .orElse(0);
        EtcdConnection connection = connection();
        return ask(
                        connection,
                        within,
                        connection
                                .client()
                                .getKVClient()
                                .txn()
                                .If(new Cmp(key, Cmp.Op.EQUAL, CmpTarget.modRevision(revision)))
                                .Then(Op.put(key, ByteSequence.from(document), PutOption.DEFAULT))
                                .commit())
                .isSucceeded();
    }

    @Override
    public void close() {
        EtcdConnection last;
        synchronized (this) {
            isClosed = true;
            last = connection;
            connection = null;
        }
        listeners.clear();
        if (last != null) {
            last.close();
        }
    }

    @Override
    public String toString() {
        return name;
    }

    private GetResponse get(Duration within) {
        EtcdConnection connection = connection();
        GetResponse held =
                ask(connection, within, connection.client().getKVClient().get(key));
        if (!listeners.isEmpty()) {
            connection.watchFrom(key, held.getHeader().getRevision() + 1, this::tell);
        }
        return held;
    }

    private static byte @Nullable [] document(GetResponse held) {
        return held.getKvs().stream()
                .map(found -> found.getValue().getBytes())
                .filter(bytes -> bytes.length > 0)
                .findFirst()
                .orElse(null);
    }

    private void tell() {
        listeners.forEach(Runnable::run);
    }

    private synchronized EtcdConnection connection() {
        if (isClosed) {
            throw CenterException.unanswered(name + " is closed", null);
        }
        if (connection == null) {
            connection = new EtcdConnection(settings.copy().build());
        }
        return connection;
    }

    private <T> T ask(EtcdConnection connection, Duration within, CompletableFuture<T> answer) {
        try {
            return answer.get(within.toNanos(), NANOSECONDS);
        } catch (ExecutionException failure) {
            Throwable cause = Objects.requireNonNullElse(failure.getCause(), failure);
            if (isDenial(cause)) {
                throw CenterException.denied(name + ": " + cause.getMessage(), cause);
            }
            giveUp(connection);
            throw CenterException.unanswered(name + ": " + cause, cause);
        } catch (TimeoutException silence) {
            answer.cancel(true);
            giveUp(connection);
            throw CenterException.unanswered(name + ": no answer within " + within, silence);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw CenterException.unanswered(name + ": interrupted", stop);
        }
    }

    /** A wrong password, or none where one is needed, is an invalid argument to etcd; so is a document that is too large. */
    private static boolean isDenial(@Nullable Throwable failure) {
        Throwable cause = failure;
        while (cause != null) {
            // jetcd wraps some failures of gRPC and lets others through.
            if (cause instanceof EtcdException refusal) {
                return DENIALS.contains(refusal.getErrorCode().name());
            }
            if (cause instanceof StatusRuntimeException status) {
                return DENIALS.contains(status.getStatus().getCode().name());
            }
            cause = cause.getCause();
        }
        return false;
    }

    private void giveUp(EtcdConnection broken) {
        synchronized (this) {
            if (broken.equals(connection)) {
                connection = null;
            }
        }
        broken.close();
    }
}
