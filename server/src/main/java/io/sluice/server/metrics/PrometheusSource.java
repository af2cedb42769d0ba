package io.sluice.server.metrics;

import io.sluice.core.guard.Finding;
import io.sluice.core.guard.Health;
import io.sluice.core.guard.Metric;
import io.sluice.core.release.MetricSource;
import io.sluice.core.release.Release;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The metrics of releases as a Prometheus knows them. A step's metrics are asked from the first look at it until it is
 * looked at no more; a step that follows starts with nothing.
 */
final class PrometheusSource implements MetricSource, AutoCloseable {
    // Longer than the longest time between two looks.
    private static final Duration FORGOTTEN = Duration.ofMinutes(3);
    private static final int THREADS = 2;
    private static final String ALONE = "nobody is left to compare with";

    private final Prometheus prometheus;
    private final CountingStore store;
    private final Duration every;
    private final LongSupplier nanoClock;
    private final ExecutorService connections = Executors.newFixedThreadPool(THREADS, daemons("sluice-metrics-http"));
    private final ScheduledThreadPoolExecutor pool;
    private final Map<String, StepWatch> watched = new ConcurrentHashMap<>();

    PrometheusSource(
            PrometheusSettings settings, CountingStore store, InstantSource wallClock, LongSupplier nanoClock) {
        this.prometheus = new Prometheus(settings.url(), settings.token(), wallClock, connections);
        this.store = store;
        this.every = settings.every();
        this.nanoClock = nanoClock;
        this.pool = new ScheduledThreadPoolExecutor(THREADS, daemons("sluice-metrics"));
        // What an answer would lead to after the end is of no interest.
        this.pool.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
    }

    @Override
    public List<Finding> of(Release release) {
        if (release.spec().plan().metrics().isEmpty()) {
            return List.of();
        }
        StepWatch step = Objects.requireNonNull(watched.compute(
                release.id(),
                (id, known) -> known != null && known.step == release.step() ? known : new StepWatch(release)));
        return step.look();
    }

    @Override
    public void close() {
        watched.clear();
        pool.shutdownNow();
        connections.shutdownNow();
    }

    private static ThreadFactory daemons(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    /** The metrics of one step. */
    private final class StepWatch {
        private final String release;
        private final long step;
        private final List<MetricWatch> asked = new ArrayList<>();
        private final List<Supplier<Finding>> findings = new ArrayList<>();
        private final AtomicBoolean started = new AtomicBoolean();
        private volatile long lookedAt;

        StepWatch(Release release) {
            this.release = release.id();
            this.step = release.step();
            boolean compares = !release.guard().asked().isAllOrNothing();
            for (Metric metric : release.spec().plan().metrics()) {
                Metric.Query query = metric.query();
                if (query instanceof Metric.Limit limit) {
                    watch(new LimitQuestion(release, metric, limit));
                } else if (query instanceof Metric.Counters counters && compares) {
                    watch(new CountersQuestion(release, metric, counters, store));
                } else {
                    Finding finding = new Findings(metric).number(Health.HEALTHY, ALONE, Double.NaN, Double.NaN);
                    findings.add(() -> finding);
                }
            }
        }

        private void watch(Question question) {
            MetricWatch watch = new MetricWatch(question, prometheus, pool, nanoClock, every, this::isWanted);
            asked.add(watch);
            findings.add(watch::finding);
        }

        /** The first look starts it, when it is known already: what is not known is not wanted. */
        List<Finding> look() {
            lookedAt = nanoClock.getAsLong();
            if (started.compareAndSet(false, true)) {
                asked.forEach(MetricWatch::start);
            }
            return findings.stream().map(Supplier::get).toList();
        }

        private boolean isWanted() {
            boolean isForgotten = nanoClock.getAsLong() - lookedAt > FORGOTTEN.toNanos();
            if (isForgotten) {
                watched.remove(release, this);
            }
            return !isForgotten && watched.get(release) == this;
        }
    }
}
