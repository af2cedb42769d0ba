package io.sluice.center;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.sluice.core.problem.Problem;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.rule.RuleSource;
import io.sluice.core.rule.RuleState;
import io.sluice.wire.RuleEnvelope;
import io.sluice.wire.RuleVerifier;
import io.sluice.wire.remote.Backoff;
import io.sluice.wire.remote.FollowedRules;
import io.sluice.wire.remote.LastGoodFile;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Rules from a config centre, followed for as long as this is open; the same for every centre.
 *
 * <p>Changes come by the centre's own push. Since every centre is known to lose one, the document is also read again every
 * few seconds. Whatever the centre holds, rules only ever change to newer ones: an absent key, a document that cannot be
 * used, one that nobody trusted has signed or a centre that does not let us read leaves them as they are.
 *
 * <pre>{@code
 * RuleSource rules = CenterRuleSource.builder(EtcdCenter.of("http://127.0.0.1:2379/sluice/rules"))
 *         .lastGood(Path.of("/var/lib/order/sluice"), "order")
 *         .verifier(RuleVerifier.read(Path.of("/etc/sluice/public.pem")))
 *         .start();
 * }</pre>
 *
 * <p>Works on a daemon thread of its own; listeners are called on it. Closing this closes the centre.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what runs on the loop counts and logs its own failures
public final class CenterRuleSource implements RuleSource {
    private static final System.Logger LOG = System.getLogger(CenterRuleSource.class.getName());
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(4);
    private static final Duration LONGEST_RETRY = Duration.ofSeconds(4);

    private final ConfigCenter center;
    private final @Nullable RuleVerifier verifier;
    private final Duration startWithin;
    private final Duration rereadEvery;
    private final Backoff backoff;
    private final FollowedRules rules;
    private final Map<Refusal, AtomicLong> refusals = new EnumMap<>(Refusal.class);
    private final AtomicLong reads = new AtomicLong();
    private final AtomicBoolean isReadDue = new AtomicBoolean();

    // One thread owns what follows and is not volatile: whatever happens, happens there.
    private final ScheduledThreadPoolExecutor loop = newLoop();
    private final Object taking = new Object();
    private @Nullable Future<?> nextRead;
    private volatile ConfigCenter.@Nullable Watch watch; // closed by any thread

    private CenterRuleSource(Builder settings) {
        this.center = settings.center;
        this.verifier = settings.verifier;
        this.startWithin = settings.startWithin;
        this.rereadEvery = settings.rereadEvery;
        this.backoff = new Backoff(settings.retryAfter, LONGEST_RETRY);
        this.rules =
                new FollowedRules(settings.center.toString(), settings.lastGood, settings.staleAfter, settings.clock);
        for (Refusal kind : Refusal.values()) {
            refusals.put(kind, new AtomicLong());
        }
    }

    public static Builder builder(ConfigCenter center) {
        return new Builder(Objects.requireNonNull(center, "center"));
    }

    /**
     * Takes the last good rules from the disk, reads the centre once, and follows it from then on. Returns when the centre
     * has answered or the time for starting is over, whatever has come of it; never throws for a centre that is not there.
     * Called once.
     */
    public CenterRuleSource start() {
        rules.load();
        Future<?> firstRead = loop.submit(this::read);
        loop.execute(this::watch);
        try {
            firstRead.get(startWithin.toNanos(), NANOSECONDS);
        } catch (TimeoutException | ExecutionException later) {
            LOG.log(Level.WARNING, "no rules from {0} yet; state is {1}", center, state());
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

    /** When the centre last held the current rules; empty before it ever did. */
    public Optional<Instant> lastHeard() {
        return rules.lastHeard();
    }

    @Override
    public List<Problem> refusal() {
        return rules.refusal();
    }

    /** How often something of this kind was found in the centre, and left the rules as they were. */
    public long refused(Refusal kind) {
        return Objects.requireNonNull(refusals.get(kind)).get();
    }

    /** What was wrong with the newest of them; empty when there was none. */
    public List<Problem> lastRefusal() {
        return rules.lastRefusal();
    }

    /** How many documents were older than the current rules, and ignored. */
    public long olderDocuments() {
        return rules.olderDocuments();
    }

    /** How many documents had the current revision and another content: somebody breaks the rules of the origin. */
    public long conflicts() {
        return rules.conflicts();
    }

    /** How many reads the centre did not answer. */
    public long failedReads() {
        return rules.failedReads();
    }

    /** How often the document was read, successfully or not. */
    public long reads() {
        return reads.get();
    }

    /** How many rule sets could not be kept on disk for the next start; they held all the same. */
    public long failedWrites() {
        return rules.failedWrites();
    }

    /** How many listener calls ended in an exception. */
    public long failedListeners() {
        return rules.failedListeners();
    }

    @Override
    public void close() {
        // Behind whatever the loop is doing would be up to a read's whole limit, so that is interrupted; but not while
        // rules
        // that somebody has seen already are written to the disk.
        synchronized (taking) {
            loop.shutdownNow();
        }
        ConfigCenter.Watch watching = watch;
        if (watching != null) {
            watching.close();
        }
        center.close();
        rules.close();
    }

    private void watch() {
        try {
            watch = center.watch(this::mayHaveChanged);
        } catch (RuntimeException failure) {
            LOG.log(Level.ERROR, "cannot watch " + center + "; changes are found by reading again", failure);
        }
        // What changed between the first read and the watch.
        mayHaveChanged();
    }

    /** On any thread of the centre's. Many calls while one read waits are one read. */
    private void mayHaveChanged() {
        if (isReadDue.compareAndSet(false, true)) {
            try {
                loop.execute(this::read);
            } catch (RejectedExecutionException closed) {
                // Nobody wants to know any more.
            }
        }
    }

    private void read() {
        isReadDue.set(false);
        boolean hasAnswered = false;
        try {
            reads.incrementAndGet();
            Optional<byte[]> document = center.read(ANSWER_WITHIN);
            hasAnswered = true;
            rules.answered();
            take(document.orElse(null));
        } catch (CenterException failure) {
            hasAnswered = failure.isDenied();
            if (!loop.isShutdown()) {
                missed(failure);
            }
        } catch (RuntimeException unforeseen) {
            // Of a client library. Whatever it was, the next read must still come.
            rules.missed(String.valueOf(unforeseen));
        } finally {
            readAgainLater(hasAnswered);
        }
    }

    private void missed(CenterException failure) {
        if (failure.isDenied()) {
            refuse(
                    Refusal.DENIED,
                    new Problem(
                            center.toString(),
                            String.valueOf(failure.getMessage()),
                            "must let this process read the rules"));
        } else {
            rules.missed(String.valueOf(failure.getMessage()));
        }
    }

    private void readAgainLater(boolean hasAnswered) {
        if (hasAnswered) {
            backoff.reset();
        }
        if (nextRead != null) {
            nextRead.cancel(false);
        }
        Duration pause = hasAnswered ? Backoff.jittered(rereadEvery) : shorter(backoff.next(), rereadEvery);
        try {
            nextRead = loop.schedule(this::read, pause.toNanos(), NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            // Nobody wants to know any more.
        }
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private void take(byte @Nullable [] json) {
        if (json == null || json.length == 0) {
            refuse(Refusal.ABSENT, new Problem(center.toString(), "absent or empty", "must hold a rule envelope"));
            return;
        }
        try {
            RuleEnvelope envelope = RuleEnvelope.read(json);
            if (!envelope.isIntact()) {
                refuse(Refusal.CHECKSUM, new Problem("sha256", "of another document", "must be the document's"));
            } else if (verifier != null && !envelope.isSignedFor(verifier)) {
                refuse(
                        Refusal.SIGNATURE,
                        new Problem(
                                "signature",
                                envelope.isSigned() ? "by none of the keys" : "missing",
                                "must be by a key that is trusted here"));
            } else {
                synchronized (taking) {
                    rules.take(envelope.rules());
                }
            }
        } catch (RefusedException refused) {
            refuse(Refusal.MALFORMED, refused.problems());
        }
    }

    private void refuse(Refusal kind, Problem problem) {
        refuse(kind, List.of(problem));
    }

    private void refuse(Refusal kind, List<Problem> problems) {
        Objects.requireNonNull(refusals.get(kind)).incrementAndGet();
        rules.refuse(problems);
    }

    private static ScheduledThreadPoolExecutor newLoop() {
        ScheduledThreadPoolExecutor loop = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "sluice-center-rules");
            thread.setDaemon(true);
            return thread;
        });
        loop.setRemoveOnCancelPolicy(true);
        return loop;
    }

    /** Settings of a source. Only the centre is required. */
    public static final class Builder {
        private final ConfigCenter center;
        private @Nullable RuleVerifier verifier;
        private @Nullable LastGoodFile lastGood;
        private InstantSource clock = FollowedRules.steadyClock();
        private Duration startWithin = Duration.ofSeconds(2);
        private Duration rereadEvery = Duration.ofSeconds(10);
        private Duration staleAfter = Duration.ofSeconds(15);
        private Duration retryAfter = Duration.ofMillis(500);

        private Builder(ConfigCenter center) {
            this.center = center;
        }

        /** Whose signature every document must have; unless this is called, none is needed. */
        public Builder verifier(RuleVerifier trusted) {
            this.verifier = Objects.requireNonNull(trusted, "trusted");
            return this;
        }

        /** Where the last good rules are kept, and whose they are; nowhere unless this is called. */
        public Builder lastGood(Path directory, String application) {
            this.lastGood = LastGoodFile.in(directory, application);
            return this;
        }

        /** How long {@link CenterRuleSource#start()} may wait for the centre; 2 s unless set. */
        public Builder startWithin(Duration most) {
            startWithin = most;
            return this;
        }

        /** At most how long apart the document is read; 10 s unless set. The half of it is left to chance. */
        public Builder rereadEvery(Duration most) {
            rereadEvery = most;
            return this;
        }

        /** After how long without the current rules in the centre the state is STALE; 15 s unless set. */
        public Builder staleAfter(Duration silence) {
            staleAfter = silence;
            return this;
        }

        /** The first pause after a read without an answer; 0.5 s unless set. It doubles up to 4 s, less up to half. */
        public Builder retryAfter(Duration first) {
            retryAfter = first;
            return this;
        }

        /** What time it is; matters for the state only. */
        public Builder clock(InstantSource clock) {
            this.clock = clock;
            return this;
        }

        /** Builds without starting. */
        public CenterRuleSource build() {
            return new CenterRuleSource(this);
        }

        /** Builds and starts. */
        public CenterRuleSource start() {
            return build().start();
        }
    }
}
