package io.sluice.core.channel;

import io.sluice.core.guard.Verdict;
import io.sluice.core.problem.Problem;
import io.sluice.core.release.Command;
import io.sluice.core.release.CommandRefusedException;
import io.sluice.core.release.Evidence;
import io.sluice.core.release.Expected;
import io.sluice.core.release.JournalEntry;
import io.sluice.core.release.Orchestrator;
import io.sluice.core.release.RulePublisher;
import io.sluice.core.release.Subject;
import io.sluice.core.release.UnknownReleaseException;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Drives releases of channels by looking, again and again: collect, judge, ask, step, save, publish, record. Level-triggered
 * as {@link Orchestrator} is, and by the same rules: a look can die after any of its steps, and what loses the
 * compare-and-set starts over from the new state.
 *
 * <p>One thread looks; any thread may command and ask.
 */
public final class ChannelOrchestrator {
    static final Duration LONGEST_WATCH = Orchestrator.LONGEST_WATCH;

    private final ChannelStore store;
    private final Workloads workloads;
    private final Evidence evidence;
    private final Map<String, Deployer> deployers;
    private final Verification verification;
    private final RulePublisher publisher;
    private final InstantSource wallClock;
    private final LongSupplier nanoClock;
    private final List<Step> steps;
    private final Map<String, Glance> lastLook = new HashMap<>();
    private final Map<String, Attention> attention = new HashMap<>();
    private final Map<String, Verdict> verdicts = new ConcurrentHashMap<>();
    private final Map<String, List<String>> waiting = new ConcurrentHashMap<>();

    /**
     * An orchestrator over its ports.
     *
     * @param deployers by the names that releases give
     * @param wallClock for the times that people read
     * @param nanoClock for everything that is measured; only its differences count
     */
    public ChannelOrchestrator(
            ChannelStore store,
            Workloads workloads,
            Evidence evidence,
            Map<String, Deployer> deployers,
            Verification verification,
            RulePublisher publisher,
            InstantSource wallClock,
            LongSupplier nanoClock) {
        this.store = store;
        this.workloads = workloads;
        this.evidence = evidence;
        this.deployers = Map.copyOf(deployers);
        this.verification = verification;
        this.publisher = publisher;
        this.wallClock = wallClock;
        this.nanoClock = nanoClock;
        this.steps = List.of(
                new Step("collect", this::collect),
                new Step("judge", this::judge),
                new Step("ask", this::ask),
                new Step("step", this::step),
                new Step("save", this::save),
                new Step("publish", this::publish),
                new Step("record", this::record));
    }

    /**
     * Looks once at every release that is not over.
     *
     * @throws RuntimeException what a port threw for one of them, after all the others were looked at
     */
    public void look() {
        look(step -> true);
    }

    /** Looks once, and stops dead before the first step that is not let on: how a crash looks to what comes after. */
    void look(Predicate<String> letOn) {
        RuntimeException failure = null;
        List<ChannelRelease> open = store.open();
        for (ChannelRelease release : open) {
            try {
                if (!run(new Look(release, nanoClock.getAsLong()), letOn)) {
                    return;
                }
            } catch (RuntimeException failed) {
                failure = failed;
            }
        }
        forget(open.stream().map(ChannelRelease::id).collect(Collectors.toSet()));
        // Also for what somebody else saved and did not live to publish.
        publisher.publish();
        if (failure != null) {
            throw failure;
        }
    }

    /** What a release waits for, in sentences, as of the newest look; empty when for nothing, or before the first look. */
    public List<String> waitingFor(String release) {
        return waiting.getOrDefault(release, List.of());
    }

    /** The newest verdict on what a release lets in; null when there is nothing to judge. */
    public @Nullable Verdict verdict(String release) {
        return verdicts.get(release);
    }

    /** Whether a release can be taken back now. */
    public WayBack wayBack(ChannelRelease release) {
        return release.wayBack(workloads);
    }

    /**
     * Creates a release, not started.
     *
     * @throws io.sluice.core.problem.RefusedException when its deployer is unknown
     * @throws io.sluice.core.release.ReleaseStore.AlreadyExistsException when its id or one of its services is taken
     */
    public ChannelRelease create(ChannelReleaseSpec spec, String actor, String why) {
        spec.requireDeployer(deployers.keySet());
        ChannelRelease draft = ChannelRelease.draft(spec);
        store.create(draft, entry(draft, actor, "create", why, null));
        return draft;
    }

    /**
     * Carries out an operator's command. When it returns, the result is saved.
     *
     * @param expected what the operator saw; the promotion past the point of no return has to name its phase
     * @throws UnknownReleaseException when there is no such release
     * @throws CommandRefusedException when the release does not allow it or is on another step
     */
    public ChannelRelease command(String id, Command command, String actor, String why, Expected expected) {
        while (true) {
            ChannelRelease before = store.find(id).orElseThrow(() -> new UnknownReleaseException(id));
            expected.requireMet(command, id, before.step(), before.phase().at().label());
            requireMeant(command, before, expected);
            ChannelRelease after = before.on(command, why, workloads);
            if (after.equals(before)) {
                return before;
            }
            String noted = command == Command.PROMOTE ? why + passedBy(id) : why;
            if (store.save(after, List.of(entry(after, actor, command.label(), noted, verdicts.get(id))))) {
                waiting.remove(id);
                publisher.publish();
                return after;
            }
        }
    }

    /** Two promotions in a row must not go where there is no way back, so the last one says what it means. */
    private static void requireMeant(Command command, ChannelRelease release, Expected expected) {
        if (command == Command.PROMOTE
                && release.phase() instanceof ChannelPhase.Confirming
                && expected.phase() == null) {
            throw new CommandRefusedException("cannot promote release " + release.id()
                    + " just so: it is confirming, and after that there is no way back; name the phase to go on");
        }
    }

    /** What a promotion did not wait for, for whoever reads the journal later. */
    private String passedBy(String id) {
        List<String> sentences = waitingFor(id);
        return sentences.isEmpty() ? "" : " (without waiting for: " + String.join("; ", sentences) + ")";
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
        ChannelRelease release = look.before;
        Sight sight = attention
                .computeIfAbsent(release.id(), any -> new Attention())
                .look(release, Fleet.of(workloads), store.published(), watched(look), look.at);
        return look.with(sight);
    }

    private Look judge(Look look) {
        Optional<Subject> subject = look.before.subject();
        return subject.map(of -> look.with(look.sight.with(of.judge(evidence.of(of)))))
                .orElse(look);
    }

    /** Asks those who work for the release. What is begun here was saved by the look before. */
    private Look ask(Look look) {
        ChannelRelease release = look.before;
        URI url = release.spec().check().url();
        if (url != null && release.isChecked() && !release.isPaused()) {
            return look.with(look.sight.with(verification.ask(release.id(), url)));
        }
        Optional<Deployer.Order> order = release.order();
        if (order.isEmpty()) {
            return look;
        }
        // Whoever slept since it read the release must not begin what has been called off meanwhile.
        boolean stands = store.find(release.id())
                .filter(now -> now.revision() == release.revision())
                .isPresent();
        return stands ? look.with(ask(order.get(), look.sight, release.spec().deployer())) : look.asLost();
    }

    private Sight ask(Deployer.Order order, Sight sight, String name) {
        Deployer deployer = deployers.get(name);
        if (deployer == null) {
            return sight.withoutDeployer("deployer " + name + ", which this server does not have");
        }
        try {
            return sight.with(deployer.deploy(order));
        } catch (RuntimeException failed) {
            return sight.withoutDeployer("deployer " + name + " to answer: " + Problem.printable(failed.toString()));
        }
    }

    private Look step(Look look) {
        return look.to(new Course(look.before, look.sight).next());
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
        boolean stands = look.after().equals(look.before);
        if (stands && entries.isEmpty()) {
            return look;
        }
        // A verdict alone is saved by compare-and-set too, or it could be noted behind an abort that came meanwhile.
        ChannelRelease next = stands ? look.before.again() : look.after();
        return store.save(next, entries) ? look.as(next) : look.asLost();
    }

    private Look publish(Look look) {
        boolean isNews = !look.after().flow().equals(look.before.flow())
                || !look.after().resting().equals(look.before.resting())
                || !look.after().renewal().equals(look.before.renewal());
        if (isNews) {
            publisher.publish();
        }
        return look;
    }

    private Look record(Look look) {
        String id = look.before.id();
        lastLook.put(id, new Glance(look.at, look.after().revision()));
        waiting.put(id, look.next == null ? List.of() : look.next.waitingFor());
        Verdict verdict = look.sight.verdict();
        if (verdict == null) {
            verdicts.remove(id);
        } else {
            verdicts.put(id, verdict);
            look.before.subject().ifPresent(subject -> evidence.judged(subject, verdict));
        }
        return look;
    }

    private void forget(Set<String> open) {
        lastLook.keySet().retainAll(open);
        attention.keySet().retainAll(open);
        verdicts.keySet().retainAll(open);
        waiting.keySet().retainAll(open);
    }

    /** A change of phase, or else a verdict of another kind than the one before; progress alone is no event. */
    private List<JournalEntry> entries(Look look) {
        ChannelRelease after = look.after();
        Verdict now = look.sight.verdict();
        if (look.next != null && !look.next.action().isEmpty()) {
            return List.of(entry(after, look.next.actor(), look.next.action(), look.next.why(), now));
        }
        Verdict known = verdicts.get(after.id());
        if (now == null
                || (known != null
                        && known.health() == now.health()
                        && known.reason().equals(now.reason()))) {
            return List.of();
        }
        return List.of(entry(after, JournalEntry.GUARD, "verdict", now.describe(), now));
    }

    private JournalEntry entry(
            ChannelRelease after, String actor, String action, String why, @Nullable Verdict verdict) {
        return new JournalEntry(wallClock.instant(), after.id(), actor, action, why, after.outcome(), verdict);
    }

    /** When a look was taken, and the state in which it left the release. */
    private record Glance(long at, long revision) {}

    private record Step(String name, UnaryOperator<Look> action) {}

    /** What is known in the course of one look at one release. */
    private record Look(ChannelRelease before, long at, Sight sight, Course.@Nullable Next next, boolean lost) {
        Look(ChannelRelease before, long at) {
            this(before, at, Sight.of(new Fleet(List.of()), Duration.ZERO), null, false);
        }

        ChannelRelease after() {
            return next == null ? before : next.release();
        }

        Look with(Sight seen) {
            return new Look(before, at, seen, next, lost);
        }

        Look to(Course.Next following) {
            return new Look(before, at, sight, following, lost);
        }

        Look as(ChannelRelease saved) {
            return next == null ? this : to(next.of(saved));
        }

        Look asLost() {
            return new Look(before, at, sight, next, true);
        }
    }
}
