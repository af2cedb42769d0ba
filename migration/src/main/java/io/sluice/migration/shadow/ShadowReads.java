package io.sluice.migration.shadow;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import io.sluice.core.problem.DurationWord;
import io.sluice.core.problem.Problems;
import io.sluice.core.problem.RefusedException;
import io.sluice.migration.branch.Branch;
import io.sluice.migration.branch.BusinessAnswerException;
import io.sluice.migration.branch.Grant;
import io.sluice.migration.branch.Read;
import io.sluice.migration.branch.Versioned;
import io.sluice.migration.evidence.Tally;
import io.sluice.migration.owner.OwnerChangedException;
import io.sluice.migration.plan.Side;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tries reads on the other side as well, and compares. Made once per process and migration, used by all threads.
 *
 * <pre>{@code
 * ShadowReads<Inventory> shadow = ShadowReads.builder(legacy, newer)
 *         .sample(100)                                  // 1 % of the reads
 *         .mirror(key -> owners.mirror(key, copy))
 *         .tally(counters)
 *         .start();
 * }</pre>
 *
 * <p><b>The caller notices nothing.</b> Its answer is the authority's, whatever the other side does. A read that is not
 * sampled costs a counter; one that is costs a place in a bounded queue, and no place means not compared. Threads, time and
 * errors are its own: a comparison is over after the time-out, mirror and second look included, and a circuit breaker
 * stops asking a side that fails, is silent or is slow.
 *
 * <p><b>What is a difference.</b> Both answers carry the same version and unequal values. Whatever is not the same at the
 * first look is looked at once more, after the key was mirrored if there is a {@link Mirror}: both sides are read again,
 * and only then it counts, if the versions are the same. Otherwise a write was under way or the other side is behind: not
 * compared. Each sampled read is counted once, as compared or not.
 *
 * <p><b>Not guaranteed.</b> A read that ignores its interrupt keeps its thread until it ends; while all threads are kept
 * nothing is compared. A side that answers a read with a {@link BusinessAnswerException} gives no version, so that never
 * counts as a difference. The mirror locks a key for as long as its copy takes, which a write to that key waits for.
 */
public final class ShadowReads<B extends Branch> implements SecondLook<B>, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ShadowReads.class);

    private static final int CALLS_WATCHED = 20;
    private static final int CALLS_AT_LEAST = 10;
    private static final int CALLS_TO_RECOVER = 3;
    private static final float TOO_MANY_PERCENT = 50;

    private final B legacy;
    private final B newer;
    private final Sample sample;
    private final Duration timeOut;
    private final @Nullable Mirror mirror;
    private final Tally tally;
    private final InstantSource clock;
    private final int threads;
    private final CircuitBreaker breaker;
    private final ThreadPoolExecutor workers;
    private final ScheduledThreadPoolExecutor alarms;
    private final Differences differences = new Differences();
    private final Set<String> mirroring = ConcurrentHashMap.newKeySet();
    private final AtomicInteger kept = new AtomicInteger();
    private volatile @Nullable Throwable lastFailure;
    private volatile boolean isClosed;

    private ShadowReads(Builder<B> builder) {
        this.legacy = builder.legacy;
        this.newer = builder.newer;
        this.sample = new Sample(builder.basisPoints);
        this.timeOut = builder.timeOut;
        this.mirror = builder.mirror;
        this.tally = builder.tally;
        this.clock = builder.clock;
        this.threads = builder.threads;
        this.breaker = breaker(builder);
        this.workers = new ThreadPoolExecutor(
                threads,
                threads,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(builder.queue),
                daemons("sluice-shadow-read-"),
                // Without an exception: its stack trace would be the dearest part of a full queue.
                (full, pool) -> tally.notCompared());
        this.alarms = new ScheduledThreadPoolExecutor(1, daemons("sluice-shadow-alarm-"));
        alarms.setRemoveOnCancelPolicy(true);
        // So that no request starts a thread.
        workers.prestartAllCoreThreads();
        alarms.prestartAllCoreThreads();
    }

    public static <B extends Branch> Builder<B> builder(B legacy, B newer) {
        return new Builder<>(legacy, newer);
    }

    @Override
    public <R> void offer(Grant grant, Read<B, R> read, Versioned<R> answer) {
        if (isClosed || !sample.takesNext()) {
            return;
        }
        workers.execute(new Comparison<>(grant, read, answer));
    }

    /** What was found. Stays readable after the end. */
    public Differences differences() {
        return differences;
    }

    /** Whether the breaker is open: the other side failed, was silent or slow, and is not asked for a while. */
    public boolean isSuspended() {
        return breaker.getState() == CircuitBreaker.State.OPEN;
    }

    /** Threads that are kept by a read which has ignored its interrupt for as long as the time-out is. */
    public int keptThreads() {
        return kept.get();
    }

    /**
     * Stops for good: no comparison begins any more, those under way are interrupted and count as not compared. Waits for
     * them, at most as long as the time-out is; a read that ignores its interrupt goes on, and what it answers is dropped.
     */
    @Override
    public void close() {
        isClosed = true;
        workers.shutdownNow().forEach(waiting -> tally.notCompared());
        try {
            workers.awaitTermination(timeOut.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
        alarms.shutdownNow();
    }

    private B branch(Side side) {
        return side == Side.LEGACY ? legacy : newer;
    }

    private CircuitBreaker breaker(Builder<B> builder) {
        CircuitBreaker breaker = CircuitBreaker.of(
                "shadow-reads",
                CircuitBreakerConfig.custom()
                        .slidingWindow(CALLS_WATCHED, CALLS_AT_LEAST, SlidingWindowType.COUNT_BASED)
                        .failureRateThreshold(TOO_MANY_PERCENT)
                        .slowCallRateThreshold(TOO_MANY_PERCENT)
                        .slowCallDurationThreshold(builder.timeOut.dividedBy(2))
                        .waitDurationInOpenState(builder.pause)
                        .permittedNumberOfCallsInHalfOpenState(CALLS_TO_RECOVER)
                        .build());
        breaker.getEventPublisher().onStateTransition(event -> {
            switch (event.getStateTransition()) {
                case CLOSED_TO_OPEN ->
                    log.warn(
                            "shadow reads pause for {} at a time: the other side fails, is silent or slow",
                            DurationWord.of(builder.pause),
                            lastFailure);
                case HALF_OPEN_TO_CLOSED -> log.info("shadow reads go on");
                default -> {}
            }
        });
        return breaker;
    }

    private static ThreadFactory daemons(String prefix) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, prefix + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** What came of looking. */
    private enum Finding {
        SAME,
        DIFFERENT,
        /** No two answers at one version. */
        NOT_COMPARABLE,
        /** The key has moved, which says nothing about either side. */
        MOVED
    }

    /** One sampled read. It ends once: by itself, or by its time-out. */
    private final class Comparison<R> implements Runnable {
        private final Grant grant;
        private final Read<B, R> read;
        private final Versioned<R> answer;
        private @Nullable Difference difference;

        private @Nullable Thread thread;
        private boolean isOver;
        private boolean isKept;

        private Comparison(Grant grant, Read<B, R> read, Versioned<R> answer) {
            this.grant = grant;
            this.read = read;
            this.answer = answer;
        }

        @Override
        public void run() {
            if (isClosed || !breaker.tryAcquirePermission()) {
                tally.notCompared();
                return;
            }
            begin();
            long start = System.nanoTime();
            Future<?> alarm = null;
            Finding finding = null;
            Throwable failure = null;
            try {
                alarm = alarms.schedule(this::timeOut, timeOut.toNanos(), TimeUnit.NANOSECONDS);
                finding = look();
            } catch (OwnerChangedException moved) {
                finding = Finding.MOVED;
            } catch (BusinessAnswerException withoutVersion) {
                finding = Finding.NOT_COMPARABLE;
            } catch (Throwable any) {
                // A read is somebody else's code; whatever it throws must not cost a thread.
                failure = any;
            }
            if (alarm != null) {
                alarm.cancel(false);
            }
            if (end()) {
                settle(finding, failure, System.nanoTime() - start);
            }
        }

        private Finding look() {
            Side authority = grant.side();
            Grant onlooker = Grant.shadow(grant.key(), authority.other());
            if (isSameAtFirst(onlooker)) {
                return Finding.SAME;
            }
            if (!mayLookAgain()) {
                return Finding.NOT_COMPARABLE;
            }
            Versioned<R> ours = read.on(branch(authority), grant);
            Versioned<R> theirs = read.on(branch(onlooker.side()), onlooker);
            if (ours.version() != theirs.version()) {
                return Finding.NOT_COMPARABLE;
            }
            if (ours.equals(theirs)) {
                return Finding.SAME;
            }
            difference = new Difference(
                    0,
                    grant.key(),
                    read.name(),
                    ours.version(),
                    authority,
                    String.valueOf(ours.value()),
                    String.valueOf(theirs.value()),
                    clock.instant());
            return Finding.DIFFERENT;
        }

        private boolean isSameAtFirst(Grant onlooker) {
            try {
                return answer.equals(read.on(branch(onlooker.side()), onlooker));
            } catch (BusinessAnswerException notYetThere) {
                return false;
            }
        }

        /** Nothing more is asked of anybody after the end, and one key is mirrored by one thread at a time. */
        private boolean mayLookAgain() {
            if (hasEnded()) {
                return false;
            }
            if (mirror == null) {
                return true;
            }
            if (!mirroring.add(grant.key())) {
                return false;
            }
            try {
                return mirror.refresh(grant.key()) && !hasEnded();
            } finally {
                mirroring.remove(grant.key());
            }
        }

        private void settle(@Nullable Finding finding, @Nullable Throwable failure, long nanos) {
            if (failure != null) {
                lastFailure = failure;
                breaker.onError(nanos, TimeUnit.NANOSECONDS, failure);
            } else if (finding == Finding.MOVED) {
                breaker.releasePermission();
            } else {
                breaker.onSuccess(nanos, TimeUnit.NANOSECONDS);
            }
            Difference found = difference;
            if (isClosed || (finding != Finding.SAME && found == null)) {
                tally.notCompared();
                return;
            }
            if (found != null) {
                differences.add(found);
            }
            tally.compared(found != null);
        }

        private synchronized void begin() {
            thread = Thread.currentThread();
        }

        private synchronized boolean hasEnded() {
            return isOver || isClosed;
        }

        /** Ends it by itself, unless its time-out was first. From now on it is not interrupted, so the next one is not either. */
        private synchronized boolean end() {
            thread = null;
            boolean isFirst = !isOver;
            isOver = true;
            if (isKept) {
                kept.decrementAndGet();
            }
            return isFirst;
        }

        private void timeOut() {
            synchronized (this) {
                if (isOver || thread == null) {
                    return;
                }
                isOver = true;
                thread.interrupt();
            }
            TimeoutException silent = new TimeoutException("no answer within " + DurationWord.of(timeOut));
            lastFailure = silent;
            breaker.onError(timeOut.toNanos(), TimeUnit.NANOSECONDS, silent);
            tally.notCompared();
            alarms.schedule(this::giveUp, timeOut.toNanos(), TimeUnit.NANOSECONDS);
        }

        /** A thread that is still not back is not waited for. When it was the last one, nobody is left to find that out. */
        private void giveUp() {
            synchronized (this) {
                if (thread == null) {
                    return;
                }
                isKept = true;
                if (kept.incrementAndGet() < threads) {
                    return;
                }
            }
            if (breaker.getState() != CircuitBreaker.State.OPEN) {
                breaker.transitionToOpenState();
            }
        }
    }

    /** How reads are compared. */
    public static final class Builder<B extends Branch> {
        private static final Duration LONGEST_TIME_OUT = Duration.ofSeconds(10);
        private static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);
        private static final int MOST_THREADS = 64;
        private static final int LONGEST_QUEUE = 10_000;

        private final B legacy;
        private final B newer;
        private int basisPoints = 100;
        private int threads = 2;
        private int queue = 64;
        private Duration timeOut = Duration.ofMillis(200);
        private Duration pause = Duration.ofSeconds(10);
        private @Nullable Mirror mirror;
        private Tally tally = Tally.NONE;
        private InstantSource clock = InstantSource.system();

        private Builder(B legacy, B newer) {
            this.legacy = legacy;
            this.newer = newer;
        }

        /** How many of 10,000 reads are compared, 0..10,000; 100 unless said. */
        public Builder<B> sample(int basisPoints) {
            this.basisPoints = basisPoints;
            return this;
        }

        /** How many comparisons go on at once, 1..64; 2 unless said. */
        public Builder<B> threads(int threads) {
            this.threads = threads;
            return this;
        }

        /** How many wait for a thread, 1..10,000; 64 unless said. */
        public Builder<B> queue(int queue) {
            this.queue = queue;
            return this;
        }

        /** How long one comparison takes at most, 2ms..10s; 200ms unless said. More than half of it counts as slow. */
        public Builder<B> timeOut(Duration timeOut) {
            this.timeOut = timeOut;
            return this;
        }

        /** How long the other side is left alone when half of the last 20 reads have failed or were slow, 1ms..10m; 10s unless said. */
        public Builder<B> pause(Duration pause) {
            this.pause = pause;
            return this;
        }

        /** How the other side is brought up to date before the second look; unless said, both sides are just read again. */
        public Builder<B> mirror(Mirror mirror) {
            this.mirror = mirror;
            return this;
        }

        /** Where it is counted. */
        public Builder<B> tally(Tally tally) {
            this.tally = tally;
            return this;
        }

        /** What a difference takes its instant from. */
        public Builder<B> clock(InstantSource clock) {
            this.clock = clock;
            return this;
        }

        /**
         * Starts its threads, which keep no JVM alive.
         *
         * @throws RefusedException with every problem; nothing was started then
         */
        public ShadowReads<B> start() {
            Problems problems = new Problems();
            problems.require(
                    basisPoints >= 0 && basisPoints <= Sample.ALL,
                    "sample",
                    basisPoints,
                    "must be within 0..10000, of 10,000 reads");
            problems.require(
                    threads >= 1 && threads <= MOST_THREADS, "threads", threads, "must be within 1.." + MOST_THREADS);
            problems.require(
                    queue >= 1 && queue <= LONGEST_QUEUE, "queue", queue, "must be within 1.." + LONGEST_QUEUE);
            require(timeOut, Duration.ofMillis(2), LONGEST_TIME_OUT, "timeOut", problems);
            require(pause, Duration.ofMillis(1), LONGEST_PAUSE, "pause", problems);
            problems.throwIfAny();
            return new ShadowReads<>(this);
        }

        private static void require(Duration was, Duration least, Duration most, String path, Problems problems) {
            problems.require(
                    was.compareTo(least) >= 0 && was.compareTo(most) <= 0,
                    path,
                    DurationWord.of(was),
                    "must be within " + DurationWord.of(least) + ".." + DurationWord.of(most));
        }
    }
}
