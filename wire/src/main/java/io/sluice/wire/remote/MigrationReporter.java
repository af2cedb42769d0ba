package io.sluice.wire.remote;

import io.sluice.core.problem.Problems;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.rule.Names;
import io.sluice.migration.evidence.CountedDay;
import io.sluice.migration.evidence.EvidenceCounters;
import io.sluice.migration.plan.Directive;
import io.sluice.migration.plan.Plan;
import io.sluice.migration.plan.PlanSource;
import io.sluice.wire.migration.DirectiveJson;
import io.sluice.wire.migration.EvidenceReport;
import io.sluice.wire.migration.EvidenceReportJson;
import io.sluice.wire.migration.MoveProgress;
import io.sluice.wire.migration.ReportedDifference;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Tells the server what a router has counted, at once, at every beat and a last time when it ends, and hands on what the
 * server answers: the directive that is wanted now.
 *
 * <p>Counts are cumulative, so a report that was lost costs nothing: what was not confirmed is told again with all that
 * has come since. Only an answer that is a directive of this migration, or 204 for one that is known, confirms; a page of
 * some proxy does not. Routing never waits for any of this: it all happens on one daemon thread.
 *
 * <p>Needs {@code sluice-migration} on the class path.
 */
public final class MigrationReporter implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(MigrationReporter.class.getName());
    private static final int NO_CONTENT = 204;

    private final DataPlane server;
    private final String migration;
    private final String reporter;
    private final PlanSource plans;
    private final EvidenceCounters counters;
    private final Consumer<Directive> directives;
    private final Supplier<Optional<MoveProgress>> progress;
    private final Supplier<List<ReportedDifference>> differences;
    private final Duration beat;
    private final Duration answerWithin;

    private final AtomicLong failedReports = new AtomicLong();
    private final ReporterThread thread;

    // Touched by the reporter's own thread only.
    private Set<String> confirmedDifferences = Set.of();
    private long taken;
    private boolean isFailing;

    private MigrationReporter(Builder settings) {
        this.migration = settings.plans.current().migration();
        Problems problems = new Problems();
        problems.part("reporter", () -> Names.requireInstance(settings.reporter));
        @Nullable DataPlane plane = problems.part("", () -> new DataPlane(settings.server, settings.token));
        problems.throwIfAny();
        this.server = Objects.requireNonNull(plane);
        this.reporter = settings.reporter;
        this.plans = settings.plans;
        this.counters = settings.counters;
        this.directives = settings.directives;
        this.progress = settings.progress;
        this.differences = settings.differences;
        this.beat = settings.beat;
        this.answerWithin = settings.answerWithin;
        this.thread = new ReporterThread("sluice-migration-" + migration, this::run);
    }

    /**
     * Settings of a reporter.
     *
     * @param plans by which the router routes; also says which migration it is
     * @param counters what the router counts
     * @param reporter names this run of the process, another one after a restart, like
     *     {@code inventory@10.0.0.7:4711-1796025600}: counts of one name replace each other, those of different names are
     *     added up
     */
    public static Builder builder(URI server, PlanSource plans, EvidenceCounters counters, String reporter) {
        return new Builder(server, plans, counters, reporter);
    }

    /** Begins to report. Called once. */
    public MigrationReporter start() {
        thread.start();
        return this;
    }

    /** How many reports were not confirmed. Their counts were told again, or still will be. */
    public long failedReports() {
        return failedReports.get();
    }

    /** Tells the server within a second what was counted last, if it can be reached, and ends. */
    @Override
    public void close() {
        thread.end();
        thread.join();
    }

    private void run() {
        do {
            attempt(false);
        } while (!thread.isEndingWithin(beat));
        attempt(true);
    }

    /** Reports; whatever goes wrong, the next beat tries again. */
    private void attempt(boolean isLast) {
        try {
            report(isLast);
            isFailing = false;
        } catch (RuntimeException failure) {
            if (!isLast && thread.isEnding()) {
                return; // The last word tells it.
            }
            failedReports.incrementAndGet();
            if (!isFailing) {
                LOG.log(Level.WARNING, "the server does not hear of migration " + migration + " from here", failure);
            }
            isFailing = true;
        }
    }

    private void report(boolean isLast) {
        List<CountedDay> days = counters.unreported();
        List<ReportedDifference> known = orElse(List.of(), differences);
        List<ReportedDifference> unconfirmed = known.stream()
                .filter(difference -> !confirmedDifferences.contains(difference.id()))
                .limit(EvidenceReport.MOST_DIFFERENCES)
                .toList();
        Plan plan = plans.current();
        byte[] report = EvidenceReportJson.write(new EvidenceReport(
                reporter, plan.revision(), taken, days, orElse(Optional.empty(), progress), unconfirmed));

        Optional<Directive> answer = directiveIn(send(report, isLast));

        counters.reported(days);
        Set<String> confirmed = new HashSet<>(confirmedDifferences);
        unconfirmed.forEach(difference -> confirmed.add(difference.id()));
        // Of those that are no longer told of, nothing needs to be known.
        confirmed.retainAll(known.stream().map(ReportedDifference::id).collect(Collectors.toSet()));
        confirmedDifferences = confirmed;
        answer.filter(directive -> directive.version() != taken && !thread.isEnding())
                .ifPresent(this::handOn);
    }

    private void handOn(Directive directive) {
        directives.accept(directive);
        taken = directive.version();
    }

    /** What cannot be found out now is left out: counts matter more. */
    private static <T> T orElse(T absent, Supplier<T> question) {
        try {
            return question.get();
        } catch (RuntimeException unknown) {
            LOG.log(Level.DEBUG, "a part of a report was left out", unknown);
            return absent;
        }
    }

    private HttpResponse<byte[]> send(byte[] report, boolean isLast) {
        var answer = isLast
                ? thread.lastAnswer(server.postMigrationReport(migration, report, ReporterThread.LAST_WORD))
                : thread.answer(server.postMigrationReport(migration, report, answerWithin), answerWithin);
        return answer.orElseThrow(() -> new IllegalStateException("no answer"));
    }

    /** Empty when the server has nothing new to say. */
    private Optional<Directive> directiveIn(HttpResponse<byte[]> answer) {
        if (answer.statusCode() == NO_CONTENT) {
            return Optional.empty();
        }
        if (answer.statusCode() != DataPlane.OK) {
            throw new IllegalStateException("status " + answer.statusCode());
        }
        Directive directive = DirectiveJson.read(answer.body());
        String named = directive.plan().migration();
        if (!named.equals(migration)) {
            throw new RefusedException("plan.migration", named, "must be " + migration);
        }
        return Optional.of(directive);
    }

    /** Settings of a reporter. */
    public static final class Builder {
        private final URI server;
        private final PlanSource plans;
        private final EvidenceCounters counters;
        private final String reporter;
        private @Nullable String token;
        private Consumer<Directive> directives = directive -> {};
        private Supplier<Optional<MoveProgress>> progress = Optional::empty;
        private Supplier<List<ReportedDifference>> differences = List::of;
        private Duration beat = Duration.ofSeconds(2);
        private Duration answerWithin = Duration.ofSeconds(2);

        private Builder(URI server, PlanSource plans, EvidenceCounters counters, String reporter) {
            this.server = Objects.requireNonNull(server, "server");
            this.plans = Objects.requireNonNull(plans, "plans");
            this.counters = Objects.requireNonNull(counters, "counters");
            this.reporter = Objects.requireNonNull(reporter, "reporter");
        }

        /** Shown to the server with every request. */
        public Builder token(String token) {
            this.token = Objects.requireNonNull(token, "token");
            return this;
        }

        /**
         * Takes each directive that is another one than the last, on the reporter's thread: reports wait while it takes its
         * time. When it throws, it is given the directive again at the next beat. Nobody, unless set.
         */
        public Builder directives(Consumer<Directive> directives) {
            this.directives = Objects.requireNonNull(directives, "directives");
            return this;
        }

        /** How far this process's mover is; asked for every report. Nothing, unless set. */
        public Builder progress(Supplier<Optional<MoveProgress>> progress) {
            this.progress = Objects.requireNonNull(progress, "progress");
            return this;
        }

        /** The differences that this process keeps; asked for every report, told until confirmed. None, unless set. */
        public Builder differences(Supplier<List<ReportedDifference>> differences) {
            this.differences = Objects.requireNonNull(differences, "differences");
            return this;
        }

        /** How often; 2 s unless set. */
        public Builder beat(Duration beat) {
            this.beat = beat;
            return this;
        }

        /** How long the server may take to answer a report; 2 s unless set. */
        public Builder answerWithin(Duration most) {
            this.answerWithin = most;
            return this;
        }

        /**
         * Builds without starting.
         *
         * @throws RefusedException with every problem, when the server's address, the token or the reporter's name is none
         */
        public MigrationReporter build() {
            return new MigrationReporter(this);
        }

        /** Builds and starts. */
        public MigrationReporter start() {
            return build().start();
        }
    }
}
