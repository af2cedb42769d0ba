package io.sluice.server.deployers;

import io.sluice.core.channel.Verification;
import io.sluice.core.problem.Problem;
import io.sluice.core.problem.Problems;
import io.sluice.core.problem.RefusedException;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.ExecutorService;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks the checks of releases by HTTP, and only where an administrator allows it. Asked in the background while somebody
 * wants to know; what was answered before a pause in the asking is forgotten, since another side may be meant by now.
 */
public final class HttpVerification implements Verification, AutoCloseable {
    private static final Duration CONNECT_WITHIN = Duration.ofSeconds(2);
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);
    private static final int THREADS = 4;
    private static final Answer NOT_YET = new Answer(false, "not asked yet");

    private final AllowedPlaces allowed;
    private final Duration every;
    private final Duration pause;
    private final LongSupplier nanoClock;
    private final ExecutorService asking = Executors.newFixedThreadPool(THREADS, daemons("sluice-check"));
    private final ScheduledThreadPoolExecutor deadlines = new ScheduledThreadPoolExecutor(
            1, daemons("sluice-check-deadline"), new ThreadPoolExecutor.DiscardPolicy());
    private final StatusQuestion question = new StatusQuestion(CONNECT_WITHIN, ANSWER_WITHIN, deadlines);
    private final Map<Asked, Watch> watches = new ConcurrentHashMap<>();

    private record Asked(String release, URI url) {}

    /**
     * @param every how often a check that somebody wants to know of is asked
     * @param pause after which nobody wants to know any more
     */
    HttpVerification(AllowedPlaces allowed, Duration every, Duration pause, LongSupplier nanoClock) {
        this.allowed = allowed;
        this.every = every;
        this.pause = pause;
        this.nanoClock = nanoClock;
        this.deadlines.setRemoveOnCancelPolicy(true);
    }

    private static ThreadFactory daemons(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    /**
     * Looks at a check that a new release names. Resolves its host, so it may take as long as that does.
     *
     * @throws RefusedException when this server would not ask it
     */
    public void requireAllowed(URI url) {
        Problems problems = new Problems();
        problems.part("check", () -> allowed.require(url));
        problems.throwIfAny();
    }

    @Override
    public Answer ask(String release, URI url) {
        long now = nanoClock.getAsLong();
        watches.values().removeIf(watch -> watch.isLeft(now));
        Watch watch = Objects.requireNonNull(watches.computeIfAbsent(new Asked(release, url), Watch::new));
        return watch.look(now);
    }

    @Override
    public void close() {
        asking.shutdownNow();
        deadlines.shutdownNow();
    }

    /** A check that is asked again and again, one question at a time. */
    private final class Watch {
        private final URI url;
        private boolean isUnderWay;
        private long wantedAt = nanoClock.getAsLong();
        private @Nullable Long askedAt;
        private Answer newest = NOT_YET;

        Watch(Asked asked) {
            this.url = asked.url;
        }

        synchronized boolean isLeft(long now) {
            return now - wantedAt > pause.toNanos();
        }

        synchronized Answer look(long now) {
            wantedAt = now;
            if (!isUnderWay && (askedAt == null || now - askedAt >= every.toNanos())) {
                isUnderWay = true;
                askedAt = now;
                asking.execute(this::ask);
            }
            return newest;
        }

        private void ask() {
            Answer answer = answer();
            synchronized (this) {
                newest = answer;
                isUnderWay = false;
            }
        }

        private Answer answer() {
            try {
                int status = question.ask(url, allowed.require(url));
                boolean isRedirect = status / 100 == 3;
                return new Answer(
                        status / 100 == 2,
                        "the check answered " + status + (isRedirect ? ", and redirects are not followed" : ""));
            } catch (RefusedException refused) {
                return new Answer(false, "the check " + refused.problems().get(0).allowed());
            } catch (IOException failed) {
                return new Answer(false, "the check: " + Problem.printable(String.valueOf(failed.getMessage())));
            } catch (RuntimeException failed) {
                return new Answer(false, "the check could not be asked: " + Problem.printable(failed.toString()));
            }
        }
    }
}
