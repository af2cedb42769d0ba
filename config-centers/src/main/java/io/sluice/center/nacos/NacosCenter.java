package io.sluice.center.nacos;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.alibaba.nacos.api.NacosFactory;
import com.alibaba.nacos.api.PropertyKeyConst;
import com.alibaba.nacos.api.config.ConfigService;
import com.alibaba.nacos.api.config.ConfigType;
import com.alibaba.nacos.api.config.listener.Listener;
import com.alibaba.nacos.api.exception.NacosException;
import io.sluice.center.CenterException;
import io.sluice.center.ConfigCenter;
import io.sluice.core.problem.RefusedException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * One data id of a Nacos, versions 2 and 3, through Nacos's own client.
 *
 * <p>What this client does by itself is kept out of what is read here. Its plain {@code getConfig} answers from a file when the
 * server is down, as if the server had, and from another file that somebody laid beside it before the server is asked at all.
 * {@code getConfigAndSignListener} is its one way to ask that knows no files: it gives what the server said, nothing when
 * the server said that there is nothing, and an exception when it said neither. That it sets a listener besides is no harm: it is
 * always the same one.
 *
 * <p>The client still writes what it reads below {@code ${user.home}/nacos}; system property {@code JM.SNAPSHOT.PATH} names another
 * place, for the whole process.
 */
public final class NacosCenter implements ConfigCenter {
    // Nacos's client lets the same be asked five times a second, and then makes it wait: so looks become rare soon.
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);
    private static final Duration FIRST_LOOK = Duration.ofMillis(20);

    private static final Duration LONGEST_PAUSE = Duration.ofMillis(400);

    private final Properties settings;
    private final String group;
    private final String dataId;
    private final List<Runnable> watchers = new CopyOnWriteArrayList<>();
    private final Signal signal = new Signal();

    /** One thread for all that is asked: the client may take longer than a caller has time, above all to connect. */
    private final ExecutorService asking = Executors.newSingleThreadExecutor(this::thread);

    /** Made, used and ended by {@link #asking} alone. */
    private volatile @Nullable ConfigService client;

    private NacosCenter(Properties settings, String group, String dataId) {
        this.settings = settings;
        this.group = group;
        this.dataId = dataId;
    }

    /**
     * The data id {@code rules} in the group {@code sluice} of {@code 127.0.0.1:8848/sluice/rules}, or of a namespace:
     * {@code one:8848,two:8848/namespace/sluice/rules}. Without one it is {@code public}.
     *
     * @throws RefusedException when it is no such address
     */
    public static NacosCenter of(String address) {
        return of(address, new Properties());
    }

    /** The same as a user that Nacos knows. */
    public static NacosCenter of(String address, String user, String password) {
        Properties settings = new Properties();
        settings.setProperty(PropertyKeyConst.USERNAME, user);
        settings.setProperty(PropertyKeyConst.PASSWORD, password);
        return of(address, settings);
    }

    /**
     * The same with settings of Nacos's client, by its own names, for whatever else it can: access keys, TLS, a context path.
     * Where the address says something, it counts.
     */
    public static NacosCenter of(String address, Properties settings) {
        NacosAddress at = NacosAddress.parse(address);
        Properties all = new Properties();
        settings.stringPropertyNames().forEach(name -> all.setProperty(name, settings.getProperty(name)));
        all.setProperty(PropertyKeyConst.SERVER_ADDR, at.servers());
        at.namespace().ifPresent(namespace -> all.setProperty(PropertyKeyConst.NAMESPACE, namespace));
        return new NacosCenter(all, at.group(), at.dataId());
    }

    @Override
    public Optional<byte[]> read(Duration within) {
        return Optional.ofNullable(content(Deadline.in(within))).map(text -> text.getBytes(UTF_8));
    }

    @Override
    public Watch watch(Runnable mayHaveChanged) {
        watchers.add(mayHaveChanged);
        // What changed before the listener was set nobody tells. Where setting it fails, the next read does it.
        tell(nacos -> {
            nacos.addListener(dataId, group, signal);
            mayHaveChanged.run();
        });
        return () -> watchers.remove(mayHaveChanged);
    }

    @Override
    public void write(byte[] document, Duration within) {
        Deadline deadline = Deadline.in(within);
        String text = new String(document, UTF_8);
        publish(nacos -> nacos.publishConfig(dataId, group, text, ConfigType.JSON.getType()), deadline);
        awaitReadBack(text, null, deadline);
    }

    /**
     * Some servers (2.2 with its embedded database) say yes to a comparison that fails, and write nothing; some don't. So
     * what counts is what can be read afterwards.
     */
    @Override
    public boolean writeOver(byte @Nullable [] seen, byte[] document, Duration within) {
        Deadline deadline = Deadline.in(within);
        String text = new String(document, UTF_8);
        String old = content(deadline);
        if (!Arrays.equals(seen, old == null ? null : old.getBytes(UTF_8))) {
            return false;
        }
        String type = ConfigType.JSON.getType();
        publish(
                nacos -> old == null
                        ? nacos.publishConfig(dataId, group, text, type)
                        : nacos.publishConfigCas(dataId, group, text, md5(old), type),
                deadline);
        return awaitReadBack(text, old, deadline);
    }

    @Override
    public void close() {
        watchers.clear();
        asking.shutdownNow();
        try {
            asking.awaitTermination(CLOSE_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return "Nacos data id " + group + "/" + dataId;
    }

    /** What the server has, null when it has nothing. */
    private @Nullable String content(Deadline deadline) {
        String text = ask(
                nacos -> nacos.getConfigAndSignListener(dataId, group, Math.max(1, deadline.leftMillis()), signal),
                deadline);
        return text == null || text.isEmpty() ? null : text;
    }

    private void publish(Question<Boolean> question, Deadline deadline) {
        if (!Boolean.TRUE.equals(ask(question, deadline))) {
            // Nacos's client says no without a reason. Whether it is a matter of permission shows when we read.
            content(deadline);
            throw CenterException.unanswered(this + ": the document was not taken", null);
        }
    }

    /**
     * Looks until the text is there. What a server has taken it shows a little later.
     *
     * @param old what may still be seen meanwhile; null: anything may
     * @return false when there is something else than the old and the new
     */
    private boolean awaitReadBack(String text, @Nullable String old, Deadline deadline) {
        for (Duration pause = FIRST_LOOK; ; pause = longer(pause)) {
            String now = content(deadline);
            if (text.equals(now)) {
                return true;
            }
            if (old != null && !old.equals(now)) {
                return false;
            }
            if (deadline.leftMillis() <= pause.toMillis()) {
                throw CenterException.unanswered(this + ": taken, but not shown in time", null);
            }
            sleep(pause);
        }
    }

    private static Duration longer(Duration pause) {
        Duration twice = pause.multipliedBy(2);
        return twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
    }

    private void sleep(Duration pause) {
        try {
            TimeUnit.NANOSECONDS.sleep(pause.toNanos());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw CenterException.unanswered(this + ": interrupted", stopped);
        }
    }

    private <T> @Nullable T ask(Question<T> question, Deadline deadline) {
        Future<@Nullable T> answer;
        try {
            answer = asking.submit(() -> question.ask(connected()));
        } catch (RejectedExecutionException closed) {
            throw CenterException.unanswered(this + ": closed", closed);
        }
        try {
            return answer.get(deadline.leftMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            throw CenterException.unanswered(this + ": no answer in time", late);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw CenterException.unanswered(this + ": interrupted", stopped);
        } catch (ExecutionException failed) {
            throw failure(failed.getCause() == null ? failed : failed.getCause());
        } finally {
            answer.cancel(true);
        }
    }

    private void tell(Statement statement) {
        try {
            asking.execute(() -> {
                try {
                    statement.tell(connected());
                } catch (NacosException | RuntimeException notNow) {
                    // Whoever watches reads as well, and hears of it there.
                }
            });
        } catch (RejectedExecutionException closed) {
            // Then there is nothing to be told.
        }
    }

    private ConfigService connected() throws NacosException {
        ConfigService known = client;
        if (known == null) {
            if (asking.isShutdown()) {
                throw new NacosException(NacosException.CLIENT_DISCONNECT, "closed");
            }
            known = NacosFactory.createConfigService(settings);
            client = known;
        }
        return known;
    }

    private static void shutDown(@Nullable ConfigService open) {
        try {
            if (open != null) {
                open.shutDown();
            }
        } catch (NacosException | RuntimeException ignored) {
            // Closed as far as it can be.
        }
    }

    private CenterException failure(Throwable cause) {
        if (cause instanceof NacosException refusal && refusal.getErrCode() == NacosException.NO_RIGHT) {
            return CenterException.denied(this + ": " + refusal.getErrMsg(), cause);
        }
        return CenterException.unanswered(this + ": " + cause, cause);
    }

    /** The checksum by which Nacos compares. */
    private static String md5(String text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(text.getBytes(UTF_8)));
        } catch (NoSuchAlgorithmException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }

    /** What made the client also ends it, behind its last question: a question asked of an ended client would revive it. */
    private Thread thread(Runnable work) {
        Runnable all = () -> {
            try {
                work.run();
            } finally {
                shutDown(client);
                client = null;
            }
        };
        Thread thread = new Thread(all, "sluice-nacos");
        thread.setDaemon(true);
        return thread;
    }

    @FunctionalInterface
    private interface Question<T> {
        @Nullable
        T ask(ConfigService nacos) throws NacosException;
    }

    @FunctionalInterface
    private interface Statement {
        void tell(ConfigService nacos) throws NacosException;
    }

    /** A moment by the monotonic clock. */
    private record Deadline(long nanos) {
        static Deadline in(Duration within) {
            return new Deadline(System.nanoTime() + within.toNanos());
        }

        long leftMillis() {
            return Math.max(0, TimeUnit.NANOSECONDS.toMillis(nanos - System.nanoTime()));
        }
    }

    /** Nacos's listener. What it is called with is not looked at: what counts is read from the server. */
    private final class Signal implements Listener {
        @Override
        public @Nullable Executor getExecutor() {
            return null; // the client's own thread, which is held up by nothing
        }

        @Override
        public void receiveConfigInfo(@Nullable String ignored) {
            watchers.forEach(Runnable::run);
        }
    }
}
