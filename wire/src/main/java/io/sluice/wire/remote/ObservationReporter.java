package io.sluice.wire.remote;

import io.sluice.core.observation.LaneTally;
import io.sluice.core.observation.ObservationKey;
import io.sluice.core.observation.ObservationRecorder;
import io.sluice.core.observation.Vantage;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.tag.TrafficTag;
import io.sluice.wire.ObservationBatch;
import io.sluice.wire.ObservationBatch.Entry;
import io.sluice.wire.ObservationBatchJson;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Tells the server what an {@link ObservationRecorder} counted, one batch an interval, oldest first.
 *
 * <p>A batch that was not confirmed is sent again under its own number, so it counts once. While the server is away
 * batches wait, at most so many; then the oldest is dropped and counted. Requests never wait for any of this: it all
 * happens on one daemon thread.
 */
public final class ObservationReporter implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ObservationReporter.class.getName());
    private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(5);
    private static final Duration FIRST_RETRY = Duration.ofSeconds(1);
    private static final Duration LONGEST_RETRY = Duration.ofSeconds(10);

    // Of at most 19 KB each, so that no batch is more than the 1 MiB that a server takes.
    private static final int MOST_ENTRIES = 50;

    // The batch itself is at fault, so it would be refused each time.
    private static final Set<Integer> REFUSALS = Set.of(400, 413, 415);

    private final ObservationRecorder recorder;
    private final DataPlane server;
    private final ObservationBatch empty;
    private final Duration interval;
    private final Duration answerWithin;
    private final int mostBatches;
    private final InstantSource clock;

    // Touched by the reporter's own thread only.
    private final Deque<ObservationBatch> waiting = new ArrayDeque<>();
    private final Backoff backoff = new Backoff(FIRST_RETRY, LONGEST_RETRY);
    private long nextSequence;
    private Instant nextAttempt = Instant.MIN;
    private Instant nextSignOfLife = Instant.MIN;
    private boolean isAway;

    private final AtomicLong droppedBatches = new AtomicLong();
    private final AtomicLong droppedRequests = new AtomicLong();
    private final AtomicLong refusedBatches = new AtomicLong();
    private final AtomicLong failedAttempts = new AtomicLong();
    private final ReporterThread thread;

    private ObservationReporter(Builder settings) {
        this.recorder = settings.recorder;
        this.server = new DataPlane(settings.server, settings.token);
        this.interval = settings.interval;
        this.answerWithin = settings.answerWithin;
        this.mostBatches = settings.mostBatches;
        this.clock = settings.clock;
        Vantage vantage = recorder.vantage();
        this.empty = new ObservationBatch(
                settings.instance,
                vantage.service(),
                vantage instanceof Vantage.Instance instance ? instance.version() : TrafficTag.STABLE_VERSION,
                0,
                ThreadLocalRandom.current().nextLong(1L << 53),
                List.of());
        this.thread = new ReporterThread("sluice-observations", this::run);
    }

    /**
     * Settings of a reporter.
     *
     * @param instance names this instance to people, like {@code order@127.0.0.1:8081}
     */
    public static Builder builder(URI server, ObservationRecorder recorder, String instance) {
        return new Builder(server, recorder, instance);
    }

    /** Begins to report. Called once. */
    public ObservationReporter start() {
        thread.start();
        return this;
    }

    /** How many batches the server has not taken when there was no more room for them. */
    public long droppedBatches() {
        return droppedBatches.get();
    }

    /** How many requests were told of in them. */
    public long droppedRequests() {
        return droppedRequests.get();
    }

    /** How many batches the server has refused for what is in them. */
    public long refusedBatches() {
        return refusedBatches.get();
    }

    /** How many attempts were not confirmed, and made again. */
    public long failedAttempts() {
        return failedAttempts.get();
    }

    /** Sends once more what there is, within a second, and ends. */
    @Override
    public void close() {
        thread.end();
        thread.join();
    }

    private void run() {
        while (!thread.isEndingWithin(interval)) {
            try {
                report();
            } catch (RuntimeException unexpected) {
                LOG.log(Level.ERROR, "a report of observations failed; the next one is made all the same", unexpected);
            }
        }
        flush();
    }

    /** One interval's work. */
    void report() {
        collect();
        if (!clock.instant().isBefore(nextAttempt)) {
            sendWaiting(this::send);
        }
    }

    private void flush() {
        collect();
        sendWaiting(this::sendLast);
    }

    /** An interval in which nothing happened is told now and then only, as a sign of life. */
    private void collect() {
        Map<ObservationKey, LaneTally> drained = recorder.drain();
        Instant now = clock.instant();
        boolean isSignOfLifeDue = waiting.isEmpty() && !now.isBefore(nextSignOfLife);
        if (drained.isEmpty() && !isSignOfLifeDue) {
            return;
        }
        nextSignOfLife = now.plus(SIGN_OF_LIFE);
        addBatches(drained);
        while (waiting.size() > mostBatches) {
            ObservationBatch oldest = waiting.removeFirst();
            droppedBatches.incrementAndGet();
            droppedRequests.addAndGet(oldest.requests());
        }
    }

    private void addBatches(Map<ObservationKey, LaneTally> drained) {
        Comparator<ObservationKey> order = Comparator.comparing(ObservationKey::release)
                .thenComparing(ObservationKey::step)
                .thenComparing(ObservationKey::lane);
        List<Entry> entries = drained.entrySet().stream()
                .sorted(Map.Entry.comparingByKey(order))
                .map(entry -> new Entry(entry.getKey(), entry.getValue()))
                .toList();
        int from = 0;
        do {
            int to = Math.min(entries.size(), from + MOST_ENTRIES);
            waiting.addLast(new ObservationBatch(
                    empty.instance(),
                    empty.service(),
                    empty.version(),
                    nextSequence++,
                    empty.run(),
                    entries.subList(from, to)));
            from = to;
        } while (from < entries.size());
    }

    private void sendWaiting(ToIntFunction<ObservationBatch> send) {
        while (!waiting.isEmpty()) {
            int status = send.applyAsInt(waiting.getFirst());
            if (status / 100 != 2 && !REFUSALS.contains(status)) {
                failedAttempts.incrementAndGet();
                nextAttempt = clock.instant().plus(backoff.next());
                noteAway(status);
                return;
            }
            waiting.removeFirst();
            if (REFUSALS.contains(status)) {
                refusedBatches.incrementAndGet();
                LOG.log(Level.ERROR, "the server refused observations with status {0}; they are dropped", status);
            }
            backoff.reset();
            isAway = false;
        }
    }

    /** The status of the answer; 0 when there was none, and whether the batch counted is not known. */
    private int send(ObservationBatch batch) {
        var answer = server.postObservations(ObservationBatchJson.write(batch), answerWithin);
        return thread.answer(answer, answerWithin).map(HttpResponse::statusCode).orElse(0);
    }

    private int sendLast(ObservationBatch batch) {
        var answer = server.postObservations(ObservationBatchJson.write(batch), ReporterThread.LAST_WORD);
        return thread.lastAnswer(answer).map(HttpResponse::statusCode).orElse(0);
    }

    private void noteAway(int status) {
        if (!isAway) {
            String why = status == 0 ? "no answer" : "status " + status;
            LOG.log(Level.WARNING, "the server does not take observations ({0}); they wait for it", why);
        }
        isAway = true;
    }

    /** Settings of a reporter. */
    public static final class Builder {
        private final URI server;
        private final ObservationRecorder recorder;
        private final String instance;
        private @Nullable String token;
        private Duration interval = Duration.ofSeconds(1);
        private Duration answerWithin = Duration.ofSeconds(2);
        private int mostBatches = 60;
        private InstantSource clock = FollowedRules.steadyClock();

        private Builder(URI server, ObservationRecorder recorder, String instance) {
            this.server = Objects.requireNonNull(server, "server");
            this.recorder = Objects.requireNonNull(recorder, "recorder");
            this.instance = Objects.requireNonNull(instance, "instance");
        }

        /** Shown to the server with every request. */
        public Builder token(String token) {
            this.token = Objects.requireNonNull(token, "token");
            return this;
        }

        /** How often; 1 s unless set. */
        public Builder interval(Duration interval) {
            this.interval = interval;
            return this;
        }

        /** How long the server may take to confirm a batch; 2 s unless set. */
        public Builder answerWithin(Duration most) {
            this.answerWithin = most;
            return this;
        }

        /** How many batches may wait for the server; 60 unless set. */
        public Builder mostBatches(int most) {
            this.mostBatches = most;
            return this;
        }

        /** What time it is; decides when an attempt is made again. */
        public Builder clock(InstantSource clock) {
            this.clock = clock;
            return this;
        }

        /**
         * Builds without starting.
         *
         * @throws RefusedException when the server's address, the token, the instance or its service is none
         */
        public ObservationReporter build() {
            return new ObservationReporter(this);
        }

        /** Builds and starts. */
        public ObservationReporter start() {
            return build().start();
        }
    }
}
