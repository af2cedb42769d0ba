package io.sluice.server.metrics;

import io.sluice.core.guard.Finding;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One metric of one step, asked again and again for as long as it is wanted. One question is under way at a time, so a
 * source that hangs has one connection for each metric, and no metric waits for another.
 */
final class MetricWatch {
    private static final Logger log = LoggerFactory.getLogger(MetricWatch.class);

    private final Question question;
    private final Prometheus prometheus;
    private final ScheduledExecutorService pool;
    private final LongSupplier nanoClock;
    private final Duration every;
    private final BooleanSupplier wanted;
    private final long began;
    private volatile @Nullable Known newest;
    private boolean failureIsLogged;

    /** What the newest answer came to, and when it was. */
    private record Known(Finding finding, long at) {}

    MetricWatch(
            Question question,
            Prometheus prometheus,
            ScheduledExecutorService pool,
            LongSupplier nanoClock,
            Duration every,
            BooleanSupplier wanted) {
        this.question = question;
        this.prometheus = prometheus;
        this.pool = pool;
        this.nanoClock = nanoClock;
        this.every = every;
        this.wanted = wanted;
        this.began = nanoClock.getAsLong();
    }

    void start() {
        pool.execute(this::ask);
    }

    /** What is known at this moment, if it is new enough. */
    Finding finding() {
        Known known = newest;
        if (known == null) {
            return question.unanswered("no answer yet");
        }
        Duration age = Duration.ofNanos(nanoClock.getAsLong() - known.at);
        return age.compareTo(longest()) > 0
                ? question.unanswered("no newer answer than one " + age.toSeconds() + " s ago")
                : known.finding;
    }

    /** Three intervals, and never less than one in which two questions in a row take all their time. */
    private Duration longest() {
        Duration three = every.multipliedBy(3);
        Duration two = every.plus(Prometheus.LONGEST.multipliedBy(2));
        return three.compareTo(two) > 0 ? three : two;
    }

    private void ask() {
        if (!wanted.getAsBoolean()) {
            return;
        }
        long asked = nanoClock.getAsLong();
        prometheus
                .ask(question.text(Duration.ofNanos(asked - began)))
                .handleAsync(this::judged, pool)
                .whenComplete((finding, failure) -> {
                    if (finding != null) {
                        newest = new Known(finding, nanoClock.getAsLong());
                    }
                    long next = every.toNanos() - (nanoClock.getAsLong() - asked);
                    pool.schedule(this::ask, Math.max(0, next), TimeUnit.NANOSECONDS);
                });
    }

    /** The question keeps what it has counted; one thread after the other, since the next asking comes after this. */
    private Finding judged(@Nullable List<Sample> answer, @Nullable Throwable failure) {
        try {
            if (answer == null) {
                throw refusal(failure);
            }
            Finding finding = question.judge(answer, Duration.ofNanos(nanoClock.getAsLong() - began));
            failureIsLogged = false;
            return finding;
        } catch (SourceException refused) {
            return question.unanswered("got " + refused.getMessage());
        } catch (RuntimeException broken) {
            if (!failureIsLogged) {
                failureIsLogged = true;
                log.error("an answer of the metric source could not be judged", broken);
            }
            return question.unanswered("this server could not judge an answer");
        }
    }

    private static SourceException refusal(@Nullable Throwable failure) {
        Throwable cause = failure instanceof CompletionException wrapped ? wrapped.getCause() : failure;
        return cause instanceof SourceException refused ? refused : new SourceException("no answer: " + cause);
    }
}
