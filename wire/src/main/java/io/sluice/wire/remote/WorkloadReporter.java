package io.sluice.wire.remote;

import io.sluice.core.observation.ServedRequests;
import io.sluice.core.problem.Problem;
import io.sluice.core.problem.Problems;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.rule.Names;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.rule.RuleSource;
import io.sluice.core.tag.Color;
import io.sluice.core.tag.TrafficTag;
import io.sluice.wire.WorkloadReport;
import io.sluice.wire.WorkloadReportJson;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Tells the server how this process stands: whether it is ready and found by others, what it serves, and by which rules it
 * decides. At every beat, at once when new rules hold here for good, and a last time when it leaves. Rules that it has told of
 * are those of its next start, too, whatever becomes of the server meanwhile.
 *
 * <p>A report tells the present only, so one that was lost is not sent again: the next beat brings a newer one. It comes
 * earlier after one that nobody answered, so that who was cut off is known again soon after the line's return. Nobody waits for
 * any of this: it all happens on one daemon thread.
 */
public final class WorkloadReporter implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(WorkloadReporter.class.getName());
    private static final Duration UNANSWERED_EVERY = Duration.ofMillis(1500);
    private static final int NO_ANSWER = 0;

    private final DataPlane server;
    private final RuleSource rules;
    private final ServedRequests served;
    private final String service;
    private final String instance;
    private final @Nullable Color color;
    private final String version;
    private final BooleanSupplier ready;
    private final BooleanSupplier registered;
    private final Duration beat;
    private final Duration answerWithin;

    private final AtomicLong failedReports = new AtomicLong();
    private final Semaphore news = new Semaphore(0);
    private final ReporterThread thread;
    private boolean isAway; // Touched by the reporter's own thread only.

    private WorkloadReporter(Builder settings) {
        Problems problems = new Problems();
        problems.part("service", () -> Names.requireService(settings.service));
        problems.part("instance", () -> Names.requireInstance(settings.instance));
        if (!settings.version.equals(TrafficTag.STABLE_VERSION)) {
            problems.part("version", () -> Names.requireVersion(settings.version));
        }
        problems.throwIfAny();
        this.server = new DataPlane(settings.server, settings.token);
        this.rules = settings.rules;
        this.served = settings.served;
        this.service = settings.service;
        this.instance = settings.instance;
        this.color = settings.color;
        this.version = settings.version;
        this.ready = settings.ready;
        this.registered = settings.registered;
        this.beat = settings.beat;
        this.answerWithin = settings.answerWithin;
        this.thread = new ReporterThread("sluice-workload", this::run);
    }

    /**
     * Settings of a reporter.
     *
     * @param rules by which this process decides; told of are its {@linkplain RuleSource#settled() settled} ones
     * @param served what this process serves
     * @param service its name in the registry
     * @param instance names this instance, the same after a restart at the same place, like {@code order@127.0.0.1:8081}
     */
    public static Builder builder(
            URI server, RuleSource rules, ServedRequests served, String service, String instance) {
        return new Builder(server, rules, served, service, instance);
    }

    /** Begins to report. Called once. */
    public WorkloadReporter start() {
        thread.start();
        return this;
    }

    /** Reports without waiting for the next beat, since something has changed. Returns at once. */
    public void reportSoon() {
        news.release();
    }

    /** How many reports the server did not confirm. */
    public long failedReports() {
        return failedReports.get();
    }

    /** Says within a second that this process leaves, and ends. */
    @Override
    public void close() {
        thread.end();
        news.release();
        thread.join();
    }

    private void run() {
        try (RuleSource.Subscription newRules = rules.settled().subscribe(applied -> reportSoon())) {
            Duration pause = beat;
            while (awaitNews(pause)) {
                long began = System.nanoTime();
                boolean wasAnswered = report(false);
                pause = wasAnswered ? beat : soon().minusNanos(System.nanoTime() - began);
            }
        }
        report(true);
    }

    /** An attempt that nobody answers costs nobody anything, so these are no rarer than beats. */
    private Duration soon() {
        Duration jittered = Backoff.jittered(UNANSWERED_EVERY);
        return jittered.compareTo(beat) < 0 ? jittered : beat;
    }

    /** Waits for so long or for news. Whether there is anything but a last word to be said. */
    private boolean awaitNews(Duration most) {
        try {
            if (news.tryAcquire(most.toNanos(), TimeUnit.NANOSECONDS)) {
                news.drainPermits(); // One report tells all that has happened before it.
            }
        } catch (InterruptedException stop) {
            // Nobody interrupts this thread but somebody who ends all of them.
            Thread.currentThread().interrupt();
            return false;
        }
        return !thread.isEnding();
    }

    /** Whether the server has answered, be it with an error. */
    private boolean report(boolean leaving) {
        int status = send(present(leaving));
        if (status / 100 == 2) {
            isAway = false;
        } else if (!thread.isEnding() || leaving) {
            failedReports.incrementAndGet();
            noteAway(status);
        }
        return status != NO_ANSWER;
    }

    private WorkloadReport present(boolean leaving) {
        RuleSet applied = rules.settled().current();
        return new WorkloadReport(
                service,
                instance,
                color,
                version,
                holds(ready),
                holds(registered),
                served.begun(),
                served.underWay(),
                served.crossed(),
                applied.epoch(),
                applied.revision(),
                refusal(),
                leaving);
    }

    /** What cannot be found out, as at the end of a process, does not hold. */
    private static boolean holds(BooleanSupplier question) {
        try {
            return question.getAsBoolean();
        } catch (RuntimeException unknown) {
            return false;
        }
    }

    private String refusal() {
        List<Problem> problems = rules.refusal();
        if (problems.isEmpty()) {
            return "";
        }
        String all = problems.stream().map(Problem::toString).collect(Collectors.joining("; "));
        return all.substring(0, Math.min(all.length(), WorkloadReport.LONGEST_REFUSAL));
    }

    /** The status of the answer. */
    private int send(WorkloadReport report) {
        byte[] document = WorkloadReportJson.write(report);
        var answer = report.leaving()
                ? thread.lastAnswer(server.postWorkload(document, ReporterThread.LAST_WORD))
                : thread.answer(server.postWorkload(document, answerWithin), answerWithin);
        return answer.map(HttpResponse::statusCode).orElse(NO_ANSWER);
    }

    private void noteAway(int status) {
        if (!isAway) {
            String why = status == NO_ANSWER ? "no answer" : "status " + status;
            LOG.log(Level.WARNING, "the server does not hear how this process stands ({0})", why);
        }
        isAway = true;
    }

    /** Settings of a reporter. */
    public static final class Builder {
        private final URI server;
        private final RuleSource rules;
        private final ServedRequests served;
        private final String service;
        private final String instance;
        private @Nullable String token;
        private @Nullable Color color;
        private String version = TrafficTag.STABLE_VERSION;
        private BooleanSupplier ready = () -> true;
        private BooleanSupplier registered = () -> true;
        private Duration beat = Duration.ofSeconds(2);
        private Duration answerWithin = Duration.ofSeconds(2);

        private Builder(URI server, RuleSource rules, ServedRequests served, String service, String instance) {
            this.server = Objects.requireNonNull(server, "server");
            this.rules = Objects.requireNonNull(rules, "rules");
            this.served = Objects.requireNonNull(served, "served");
            this.service = Objects.requireNonNull(service, "service");
            this.instance = Objects.requireNonNull(instance, "instance");
        }

        /** Shown to the server with every request. */
        public Builder token(String token) {
            this.token = Objects.requireNonNull(token, "token");
            return this;
        }

        /** The side of its channel on which it stands; none unless set. */
        public Builder color(@Nullable Color color) {
            this.color = color;
            return this;
        }

        /** What it runs; {@code stable} unless set. */
        public Builder version(String version) {
            this.version = Objects.requireNonNull(version, "version");
            return this;
        }

        /** Whether it would serve; asked for every report. Always, unless set. */
        public Builder ready(BooleanSupplier ready) {
            this.ready = Objects.requireNonNull(ready, "ready");
            return this;
        }

        /** Whether callers can find it; asked for every report. Always, unless set. */
        public Builder registered(BooleanSupplier registered) {
            this.registered = Objects.requireNonNull(registered, "registered");
            return this;
        }

        /** How often; 2 s unless set. */
        public Builder beat(Duration beat) {
            this.beat = beat;
            return this;
        }

        /** How long the server may take to confirm a report; 2 s unless set. */
        public Builder answerWithin(Duration most) {
            this.answerWithin = most;
            return this;
        }

        /**
         * Builds without starting.
         *
         * @throws RefusedException with every problem, when the server's address, the token or a name is none
         */
        public WorkloadReporter build() {
            return new WorkloadReporter(this);
        }

        /** Builds and starts. */
        public WorkloadReporter start() {
            return build().start();
        }
    }
}
