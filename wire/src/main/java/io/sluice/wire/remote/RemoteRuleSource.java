package io.sluice.wire.remote;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.sluice.core.problem.Problem;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.rule.RuleSource;
import io.sluice.core.rule.RuleState;
import io.sluice.wire.RuleSetJson;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Rules from a Sluice server, followed for as long as this is open.
 *
 * <p>Changes come by a stream. Since a stream may die in silence or lose an event, all rules are also read again every
 * few seconds, and a stream without a sign of life is opened anew. Whatever the server answers, rules only ever change
 * to newer ones: an error, an empty answer or a document that cannot be used leaves them as they are.
 *
 * <p>A server that is not heard of is asked for a sign of life until it answers, every 0.75 to 1.5 s, so that what was cut
 * off has the newest rules within two seconds of the line's return. A server that answers with an error is left alone for
 * longer and longer, up to 10 s.
 *
 * <pre>{@code
 * RuleSource rules = RemoteRuleSource.builder(URI.create("http://127.0.0.1:7070"))
 *         .lastGood(Path.of("/var/lib/order/sluice"), "order")
 *         .start();
 * }</pre>
 *
 * <p>Works on daemon threads of its own; listeners are called on one of them.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what runs on the loop counts and logs its own failures
public final class RemoteRuleSource implements RuleSource {
    private static final System.Logger LOG = System.getLogger(RemoteRuleSource.class.getName());
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);
    private static final Duration PROBE_WITHIN = Duration.ofSeconds(1);
    private static final Duration LONGEST_RETRY = Duration.ofSeconds(10);
    private static final Duration PROVEN_AFTER = Duration.ofSeconds(60);

    private final DataPlane server;
    private final Duration startWithin;
    private final Duration rereadEvery;
    private final Duration deadAfter;
    private final Duration quietAfter;
    private final Duration probeEvery;
    private final InstantSource clock;
    private final Backoff backoff;
    private final FollowedRules rules;
    private final RuleStream.Listener events = new Events();

    // One thread owns all that follows and is not volatile or atomic: whatever happens, happens there.
    private final ScheduledThreadPoolExecutor loop = newLoop();
    private @Nullable RuleStream stream;
    private @Nullable Future<?> silenceWatch;
    private @Nullable Future<?> nextOpening;
    private @Nullable ScheduledFuture<?> nextProbe;
    private Instant streamOpened = Instant.MIN;
    private int readsUnderWay;
    private boolean isCutOff; // Something was asked that nobody answered, and nothing was heard since.

    private final AtomicLong streamsOpened = new AtomicLong();
    private final AtomicLong probes = new AtomicLong();

    private RemoteRuleSource(Builder settings) {
        this.server = new DataPlane(settings.server, settings.token);
        this.startWithin = settings.startWithin;
        this.rereadEvery = settings.rereadEvery;
        this.deadAfter = settings.deadAfter;
        this.quietAfter = settings.quietAfter;
        this.probeEvery = settings.probeEvery;
        this.clock = settings.clock;
        this.backoff = new Backoff(settings.retryAfter, LONGEST_RETRY);
        this.rules = new FollowedRules("the server", settings.lastGood, settings.staleAfter, settings.clock);
    }

    public static Builder builder(URI server) {
        return new Builder(Objects.requireNonNull(server, "server"));
    }

    /**
     * Takes the last good rules from the disk, asks the server once, and follows it from then on. Returns when the
     * server has answered or the time for starting is over, whatever has come of it; never throws for a server that is
     * not there. Called once.
     */
    public RemoteRuleSource start() {
        rules.load();
        CompletableFuture<Void> firstRead =
                CompletableFuture.supplyAsync(() -> read(ANSWER_WITHIN), loop).thenCompose(read -> read);
        loop.execute(this::openStream);
        loop.execute(() -> probeAfter(quietAfter));
        scheduleReread();
        try {
            firstRead.get(startWithin.toNanos(), NANOSECONDS);
        } catch (TimeoutException | ExecutionException later) {
            LOG.log(Level.WARNING, "no rules from the server yet; state is {0}", state());
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
        return this;
    }

    @Override
    public RuleSet current() {
        return rules.current();
    }

    @Override
    public RuleSource settled() {
        return rules.settled();
    }

    @Override
    public RuleState state() {
        return rules.state();
    }

    @Override
    public Subscription subscribe(Consumer<RuleSet> listener) {
        return rules.subscribe(listener);
    }

    /** When the server last confirmed that the current rules are the newest; empty before it ever did. */
    public Optional<Instant> lastHeard() {
        return rules.lastHeard();
    }

    /** How many documents could not be used, and left the rules as they were. */
    public long refusedDocuments() {
        return rules.refusedDocuments();
    }

    /** Why the newest of them could not be used; empty when there was none. */
    public List<Problem> lastRefusal() {
        return rules.lastRefusal();
    }

    @Override
    public List<Problem> refusal() {
        return rules.refusal();
    }

    /** How many documents were older than the current rules, and ignored. */
    public long olderDocuments() {
        return rules.olderDocuments();
    }

    /** How many documents had the current revision and another content: a fault of the server's. */
    public long conflicts() {
        return rules.conflicts();
    }

    /** How many reads the server did not answer, or answered with an error. */
    public long failedReads() {
        return rules.failedReads();
    }

    /** How often the stream was opened, successfully or not. */
    public long streamsOpened() {
        return streamsOpened.get();
    }

    /** How many rule sets could not be kept on disk for the next start; they held all the same. */
    public long failedWrites() {
        return rules.failedWrites();
    }

    /** How often the server was asked for a sign of life, since nothing was heard of it. */
    public long probes() {
        return probes.get();
    }

    /** How many listener calls ended in an exception. */
    public long failedListeners() {
        return rules.failedListeners();
    }

    @Override
    public void close() {
        // Behind whatever the loop is doing, so that no stream is opened after the last one was cut.
        try {
            loop.execute(() -> {
                loop.shutdownNow();
                if (stream != null) {
                    stream.cut();
                }
            });
        } catch (RejectedExecutionException alreadyClosed) {
            return;
        }
        rules.close();
    }

    private void openStream() {
        streamsOpened.incrementAndGet();
        streamOpened = clock.instant();
        stream = RuleStream.open(server, loop, events);
        watchForSilence();
    }

    private void watchForSilence() {
        cancel(silenceWatch);
        silenceWatch = after(deadAfter, this::replaceSilentStream);
    }

    private void replaceSilentStream() {
        LOG.log(Level.INFO, "the stream of rules is silent; it is opened anew");
        replaceStream();
    }

    /** Gives the stream up and opens another one after a pause; while nobody answers, once somebody does. */
    private void replaceStream() {
        RuleStream old = stream;
        if (old != null) {
            stream = null;
            old.cut();
            cancel(silenceWatch);
            if (streamOpened.plus(PROVEN_AFTER).isBefore(clock.instant())) {
                backoff.reset();
            }
        }
        cancel(nextOpening);
        if (!isCutOff) {
            nextOpening = after(backoff.next(), this::openStream);
        }
    }

    private void scheduleReread() {
        after(Backoff.jittered(rereadEvery), () -> {
            scheduleReread();
            if (readsUnderWay == 0) {
                read(ANSWER_WITHIN);
            }
        });
    }

    /**
     * Asks once nothing was heard for so long. An attempt that nobody answers costs the server nothing, so these do not back
     * off, and each gives up before the next: on a line that lost packets only a new connection is quick.
     */
    private void probeAfter(Duration quiet) {
        cancel(nextProbe);
        nextProbe = after(quiet, () -> {
            probeAfter(Backoff.jittered(probeEvery));
            probes.incrementAndGet();
            read(PROBE_WITHIN);
        });
    }

    private void unanswered() {
        isCutOff = true;
        if (nextProbe == null || nextProbe.getDelay(NANOSECONDS) > probeEvery.toNanos()) {
            probeAfter(Backoff.jittered(probeEvery));
        }
    }

    /** Reads all rules. The future ends when they are applied, and never in a failure. */
    private CompletableFuture<Void> read(Duration within) {
        readsUnderWay++;
        return server.readRules(Revision.of(current()), within).handleAsync(this::answered, loop);
    }

    private @Nullable Void answered(@Nullable HttpResponse<byte[]> answer, @Nullable Throwable failure) {
        readsUnderWay--;
        if (answer == null) {
            rules.missed(String.valueOf(failure));
            unanswered();
            return null;
        }
        int status = answer.statusCode();
        boolean isGiving = status == DataPlane.OK || status == DataPlane.NOT_MODIFIED;
        if (isGiving) {
            rules.answered();
        } else {
            rules.missed("status " + status);
        }
        if (status == DataPlane.OK) {
            apply(answer.body());
        } else if (status == DataPlane.NOT_MODIFIED) {
            rules.heard();
        }
        probeAfter(isGiving ? quietAfter : backoff.next());
        if (isCutOff) {
            isCutOff = false;
            replaceStream();
        }
        return null;
    }

    private void apply(byte[] document) {
        RuleSet offered;
        try {
            offered = RuleSetJson.read(document);
        } catch (RefusedException refused) {
            rules.refuse(refused.problems());
            return;
        }
        rules.take(offered);
    }

    /** A beat names the newest revision there is, so it finds out a lost event long before the next full read. */
    private void beat(@Nullable Revision newest) {
        Revision ours = Revision.of(current());
        if (ours.equals(newest)) {
            rules.heard();
        } else if (newest != null && newest.isNewerThan(ours) && readsUnderWay == 0) {
            read(ANSWER_WITHIN);
        }
    }

    private ScheduledFuture<?> after(Duration delay, Runnable task) {
        return loop.schedule(task, delay.toNanos(), NANOSECONDS);
    }

    private static void cancel(@Nullable Future<?> task) {
        if (task != null) {
            task.cancel(false);
        }
    }

    private static ScheduledThreadPoolExecutor newLoop() {
        ScheduledThreadPoolExecutor loop = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "sluice-rules");
            thread.setDaemon(true);
            return thread;
        });
        loop.setRemoveOnCancelPolicy(true);
        return loop;
    }

    /** What the newest stream tells; an older one has nothing to say any more. */
    private final class Events implements RuleStream.Listener {
        @Override
        public void event(RuleStream from, String name, byte[] data) {
            if (!from.equals(stream)) {
                return;
            }
            isCutOff = false;
            watchForSilence();
            probeAfter(quietAfter);
            if (name.equals("rules")) {
                apply(data);
            } else if (name.equals("beat")) {
                beat(Revision.parse(new String(data, UTF_8)));
            }
        }

        @Override
        public void refused(RuleStream from, RefusedException refused) {
            if (from.equals(stream)) {
                rules.refuse(refused.problems());
            }
        }

        @Override
        public void ended(RuleStream from) {
            if (!from.equals(stream)) {
                return;
            }
            if (!from.wasAnswered()) {
                unanswered();
            }
            replaceStream();
        }
    }

    /** Settings of a source. Only the server is required. */
    public static final class Builder {
        private final URI server;
        private @Nullable String token;
        private @Nullable LastGoodFile lastGood;
        private InstantSource clock = FollowedRules.steadyClock();
        private Duration startWithin = Duration.ofSeconds(2);
        private Duration rereadEvery = Duration.ofSeconds(10);
        private Duration deadAfter = Duration.ofSeconds(10);
        private Duration quietAfter = Duration.ofSeconds(4);
        private Duration probeEvery = Duration.ofMillis(1500);
        private Duration staleAfter = Duration.ofSeconds(15);
        private Duration retryAfter = Duration.ofSeconds(1);

        private Builder(URI server) {
            this.server = server;
        }

        /** Shown to the server with every request. */
        public Builder token(String token) {
            this.token = Objects.requireNonNull(token, "token");
            return this;
        }

        /** Where the last good rules are kept, and whose they are; nowhere unless this is called. */
        public Builder lastGood(Path directory, String application) {
            this.lastGood = LastGoodFile.in(directory, application);
            return this;
        }

        /** How long {@link RemoteRuleSource#start()} may wait for the server; 2 s unless set. */
        public Builder startWithin(Duration most) {
            startWithin = most;
            return this;
        }

        /** At most how long apart all rules are read; 10 s unless set. The half of it is left to chance. */
        public Builder rereadEvery(Duration most) {
            rereadEvery = most;
            return this;
        }

        /** After how long without an event a stream is given up; 10 s unless set, three beats of the server. */
        public Builder deadAfter(Duration silence) {
            deadAfter = silence;
            return this;
        }

        /** After how long without a word from the server it is asked for one; 4 s unless set, a beat of the server's and some. */
        public Builder quietAfter(Duration silence) {
            quietAfter = silence;
            return this;
        }

        /** At most how long apart a server that does not answer is asked; 1.5 s unless set. The half of it is left to chance. */
        public Builder probeEvery(Duration most) {
            probeEvery = most;
            return this;
        }

        /** After how long without word from the server the state is STALE; 15 s unless set. */
        public Builder staleAfter(Duration silence) {
            staleAfter = silence;
            return this;
        }

        /**
         * The first pause before a stream is opened again, or a server that answered with an error is asked again; 1 s unless
         * set. It doubles up to 10 s, less up to half.
         */
        public Builder retryAfter(Duration first) {
            retryAfter = first;
            return this;
        }

        /** What time it is; matters for the state only. */
        public Builder clock(InstantSource clock) {
            this.clock = clock;
            return this;
        }

        /**
         * Builds without starting.
         *
         * @throws RefusedException when the server's address is none, or the token cannot be sent
         */
        public RemoteRuleSource build() {
            return new RemoteRuleSource(this);
        }

        /** Builds and starts. */
        public RemoteRuleSource start() {
            return build().start();
        }
    }
}
