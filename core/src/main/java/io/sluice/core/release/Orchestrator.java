package io.sluice.core.release;

import io.sluice.core.guard.Finding;
import io.sluice.core.guard.Health;
import io.sluice.core.guard.Metric;
import io.sluice.core.guard.Seen;
import io.sluice.core.guard.StageGuard;
import io.sluice.core.guard.Tick;
import io.sluice.core.guard.Verdict;
import io.sluice.core.problem.Problem;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Drives releases by looking, again and again: collect, judge, step, save, publish, record.
 *
 * <p>Level-triggered: a look starts from what is saved, so it can die after any of its steps and the next look goes on
 * from there. Every change is saved by compare-and-set before anything acts on it; who loses the race starts over from
 * the new state, so nothing a look believed can undo an operator's abort.
 *
 * <p>One thread looks; any thread may command.
 */
public final class Orchestrator {
    /** A look that comes later than this after the one before counts as this much watching, no more. */
    public static final Duration LONGEST_WATCH = Duration.ofSeconds(5);

    // A verdict about the metrics of other systems is about no service of ours.
    private static final String METRICS = "metrics";

    /** Why a release with a healthy verdict does not go on: somebody could not use the rules as they are. */
    private static final String RULES_REFUSED = "rules_refused";

    private final ReleaseStore store;
    private final Evidence evidence;
    private final MetricSource metrics;
    private final Refusals refusals;
    private final RulePublisher publisher;
    private final InstantSource wallClock;
    private final LongSupplier nanoClock;
    private final List<Step> steps;
    private final Map<String, Glance> lastLook = new HashMap<>();
    private final Map<String, Verdict> verdicts = new ConcurrentHashMap<>();

    /** One that knows of no processes, and so of no refusals. */
    public Orchestrator(
            ReleaseStore store,
            Evidence evidence,
            MetricSource metrics,
            RulePublisher publisher,
            InstantSource wallClock,
            LongSupplier nanoClock) {
        this(store, evidence, metrics, Refusals.none(), publisher, wallClock, nanoClock);
    }

    /**
     * An orchestrator over its ports.
     *
     * @param refusals holds every release for as long as there is one; an operator may still promote
     * @param wallClock for the times that people read
     * @param nanoClock for everything that is measured; only its differences count
     */
    public Orchestrator(
            ReleaseStore store,
            Evidence evidence,
            MetricSource metrics,
            Refusals refusals,
            RulePublisher publisher,
            InstantSource wallClock,
            LongSupplier nanoClock) {
        this.store = store;
        this.evidence = evidence;
        this.metrics = metrics;
        this.refusals = refusals;
        this.publisher = publisher;
        this.wallClock = wallClock;
        this.nanoClock = nanoClock;
        this.steps = List.of(
                new Step("collect", this::collect),
                new Step("judge", this::judge),
                new Step("step", this::step),
                new Step("save", this::save),
                new Step("publish", this::publish),
                new Step("record", this::record));
    }

    /**
     * Looks once at every release that is watched.
     *
     * @throws RuntimeException what a port threw for one of them, after all the others were looked at
     */
    public void look() {
        look(step -> true);
    }

    /** Looks once, and stops dead before the first step that is not let on: how a crash looks to what comes after. */
    void look(Predicate<String> letOn) {
        RuntimeException failure = null;
        for (Release release : store.all()) {
            try {
                if (!look(release, letOn)) {
                    return;
                }
            } catch (RuntimeException failed) {
                failure = failed;
            }
        }
        // Also for what somebody else saved and did not live to publish.
        publisher.publish();
        if (failure != null) {
            throw failure;
        }
    }

    private boolean look(Release release, Predicate<String> letOn) {
        if (release.isWatched()) {
            return run(new Look(release, nanoClock.getAsLong()), letOn);
        }
        lastLook.remove(release.id());
        verdicts.remove(release.id());
        return true;
    }

    /** The newest verdict of a watched release; null before its first. */
    public @Nullable Verdict verdict(String release) {
        return verdicts.get(release);
    }

    /**
     * Creates a release, not started.
     *
     * @throws ReleaseStore.AlreadyExistsException when its id or one of its services is taken
     */
    public Release create(ReleaseSpec spec, String actor, String why) {
        Release draft = Release.draft(spec);
        store.create(draft, entry(draft, actor, "create", why, null));
        return draft;
    }

    /**
     * Carries out an operator's command. When it returns, the result is saved.
     *
     * @param expected what the operator saw, so that a promotion does not hit a stage that came meanwhile
     * @throws UnknownReleaseException when there is no such release
     * @throws CommandRefusedException when the release does not allow it or stands elsewhere
     */
    public Release command(String id, Command command, String actor, String why, Expected expected) {
        while (true) {
            Release before = store.find(id).orElseThrow(() -> new UnknownReleaseException(id));
            expected.requireMet(command, id, before.step(), before.phase().label());
            Release after = before.on(command, why);
            if (after.equals(before)) {
                return before;
            }
            List<Release> changed = new ArrayList<>(List.of(after));
            if (command == Command.START) {
                retireOthers(after, changed);
            }
            if (store.save(changed, List.of(entry(after, actor, command.label(), why, verdicts.get(id))))) {
                publisher.publish();
                return after;
            }
        }
    }

    private void retireOthers(Release started, List<Release> changed) {
        for (Release other : store.all()) {
            if (!other.id().equals(started.id()) && other.givesWayTo(started.spec())) {
                changed.add(other.retire());
            }
        }
    }

    private boolean run(Look look, Predicate<String> letOn) {
        Look current = look;
        for (Step step : steps) {
            if (!letOn.test(step.name)) {
                return false;
            }
            current = current.lost ? current : step.action.apply(current);
        }
        return true;
    }

    private Look collect(Look look) {
        return look.with(evidence.of(look.before.subject()));
    }

    private Look judge(Look look) {
        Verdict ofRequests = look.before.subject().judge(look.seen);
        Verdict ofMetrics = StageGuard.of(METRICS, metricFindings(look.before));
        return look.with(unlessRefused(Subject.worst(List.of(ofRequests, ofMetrics))));
    }

    /** Nobody goes on while somebody still decides by older rules; what is worse, or holds already, keeps its reason. */
    private Verdict unlessRefused(Verdict verdict) {
        List<String> names = verdict.health() == Health.HEALTHY ? refusals.refusing() : List.of();
        return names.isEmpty()
                ? verdict
                : new Verdict(
                        Health.HOLD,
                        Problem.printable(RULES_REFUSED + " by " + String.join(", ", names)),
                        "",
                        verdict.samples(),
                        verdict.failures(),
                        verdict.p99(),
                        verdict.findings());
    }

    /** One for each metric of the plan, whatever the source does: what it does not say is on hold. */
    private List<Finding> metricFindings(Release release) {
        List<Finding> findings = new ArrayList<>();
        String missing = "the source says nothing of it";
        try {
            findings.addAll(metrics.of(release));
        } catch (RuntimeException failed) {
            missing = Problem.printable("the source failed: " + failed);
        }
        Set<String> known = findings.stream().map(Finding::metric).collect(Collectors.toSet());
        for (Metric metric : release.spec().plan().metrics()) {
            if (!known.contains(metric.name())) {
                findings.add(new Finding(
                        METRICS,
                        metric.name(),
                        metric.critical(),
                        Health.HOLD,
                        missing,
                        Tick.NOTHING,
                        Double.NaN,
                        Double.NaN));
            }
        }
        return findings;
    }

    private Look step(Look look) {
        Verdict verdict = look.verdict;
        return verdict == null ? look.asLost() : look.to(look.before.after(verdict, watched(look)));
    }

    /** The time since the look before, in which nothing but looks may have touched the release. */
    private Duration watched(Look look) {
        Glance last = lastLook.get(look.before.id());
        if (last == null || last.revision != look.before.revision()) {
            return Duration.ZERO;
        }
        Duration since = Duration.ofNanos(Math.max(0, look.at - last.at));
        return since.compareTo(LONGEST_WATCH) > 0 ? LONGEST_WATCH : since;
    }

    private Look save(Look look) {
        List<JournalEntry> entries = entries(look);
        boolean stands = look.after.equals(look.before);
        if (stands && entries.isEmpty()) {
            return look;
        }
        // A verdict alone is saved by compare-and-set too, or it could be noted behind an abort that came meanwhile.
        Release next = stands ? look.before.again() : look.after;
        return store.save(List.of(next), entries) ? look.to(next) : look.asLost();
    }

    private Look publish(Look look) {
        if (look.after.step() != look.before.step()) {
            publisher.publish();
        }
        return look;
    }

    private Look record(Look look) {
        lastLook.put(look.before.id(), new Glance(look.at, look.after.revision()));
        if (look.verdict != null) {
            verdicts.put(look.before.id(), look.verdict);
            evidence.judged(look.before.subject(), look.verdict);
        }
        return look;
    }

    /** A change of phase, or else a verdict of another kind than the one before; progress alone is no event. */
    private List<JournalEntry> entries(Look look) {
        Release after = look.after;
        if (after.phase().getClass() != look.before.phase().getClass() || after.step() != look.before.step()) {
            return List.of(change(look.before, after, look.verdict));
        }
        Verdict known = verdicts.get(after.id());
        Verdict now = look.verdict;
        if (now == null
                || (known != null
                        && known.health() == now.health()
                        && known.reason().equals(now.reason()))) {
            return List.of();
        }
        return List.of(entry(after, JournalEntry.GUARD, "verdict", now.describe(), now));
    }

    /** What takes a release back or stops it is the guard's, with the reason that it has from now on. */
    private JournalEntry change(Release before, Release after, @Nullable Verdict verdict) {
        if (after.phase() instanceof Phase.Aborted aborted) {
            return entry(after, JournalEntry.GUARD, "abort", aborted.why(), verdict);
        }
        if (after.phase() instanceof Phase.Paused paused) {
            String action = after.stepBacks() > before.stepBacks() ? "step-back" : "pause";
            return entry(after, JournalEntry.GUARD, action, paused.why(), verdict);
        }
        String action = after.phase() instanceof Phase.Completed ? "complete" : "advance";
        return entry(after, JournalEntry.ORCHESTRATOR, action, verdict == null ? "" : verdict.describe(), verdict);
    }

    private JournalEntry entry(Release after, String actor, String action, String why, @Nullable Verdict verdict) {
        Instant now = wallClock.instant();
        String outcome =
                after.phase().label() + " " + after.phase().percent(after.spec().plan());
        return new JournalEntry(now, after.id(), actor, action, why, outcome, verdict);
    }

    /** When a look was taken, and the state in which it left the release. */
    private record Glance(long at, long revision) {}

    private record Step(String name, UnaryOperator<Look> action) {}

    /** What is known in the course of one look at one release. */
    private record Look(
            Release before,
            long at,
            Map<String, Seen> seen,
            @Nullable Verdict verdict,
            Release after,
            boolean lost) {
        Look(Release before, long at) {
            this(before, at, Map.of(), null, before, false);
        }

        Look with(Map<String, Seen> found) {
            return new Look(before, at, found, verdict, after, lost);
        }

        Look with(Verdict judged) {
            return new Look(before, at, seen, judged, after, lost);
        }

        Look to(Release next) {
            return new Look(before, at, seen, verdict, next, lost);
        }

        Look asLost() {
            return new Look(before, at, seen, verdict, after, true);
        }
    }
}
