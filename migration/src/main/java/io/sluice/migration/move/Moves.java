package io.sluice.migration.move;

import io.sluice.core.problem.Problems;
import io.sluice.core.problem.RefusedException;
import io.sluice.migration.owner.Owned;
import io.sluice.migration.owner.Owners;
import io.sluice.migration.plan.Directive;
import io.sluice.migration.plan.Keys;
import io.sluice.migration.plan.Pace;
import io.sluice.migration.plan.Plan;
import io.sluice.migration.plan.Side;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings every key to where the plan wants it, in whichever direction that is: looks through all keys in pages, and moves
 * those that are elsewhere, one after the other, no faster than the pace allows.
 *
 * <p>It remembers nothing that matters. Where it is begun again, on any process, it finds out from the owners what is left,
 * and finishes first the keys that a dead mover has left frozen, also while it is paused. Several processes may run it for
 * one migration; a key is moved once, and each keeps the pace for itself.
 *
 * <p>A key that can't be moved holds up no other: when its copy fails, or a write of it does not end within the mover's
 * limit, it is opened again where it was and tried again later, after 1 s, 2 s, 4 s up to a minute. Many failures in a row
 * look like a fault of the whole, so then everything waits like that. A key that was handed back under this plan, or moved
 * under a later one, is left alone.
 *
 * <p>{@link #start} works on threads of its own until {@link #close}; or call {@link #step} from yours. All methods are
 * safe for use by many threads.
 */
public final class Moves implements AutoCloseable {
    /**
     * How it works.
     *
     * @param page how many keys are looked at, and kept in memory, at once, 1..10,000
     * @param workers how many keys are moved at the same time, 1..64, each with one connection
     * @param abandonedAfter how long a key is frozen until it counts as left by a dead mover, longer than the mover's
     *     limit for a drain, up to an hour
     * @param rest how long it waits, when everything is done, until it looks for new keys, 1 ms..1 h; longer when looking
     *     takes long, so that at most a fifth of the time goes into looking
     */
    public record Settings(int page, int workers, Duration abandonedAfter, Duration rest) {
        public static final Settings DEFAULT = new Settings(500, 4, Duration.ofSeconds(5), Duration.ofSeconds(5));

        /** @throws RefusedException with every problem */
        public Settings {
            Problems problems = new Problems();
            problems.require(page >= 1 && page <= 10_000, "page", page, "must be within 1..10000");
            problems.require(workers >= 1 && workers <= 64, "workers", workers, "must be within 1..64");
            problems.require(
                    !abandonedAfter.isNegative() && abandonedAfter.compareTo(Duration.ofHours(1)) <= 0,
                    "abandonedAfter",
                    abandonedAfter,
                    "must be within 0..1h");
            problems.require(
                    rest.compareTo(Duration.ofMillis(1)) >= 0 && rest.compareTo(Duration.ofHours(1)) <= 0,
                    "rest",
                    rest,
                    "must be within 1ms..1h");
            problems.throwIfAny();
        }
    }

    /** So many frozen keys are looked at once. */
    static final int MOST_FROZEN = 1_000;

    /** So many keys may wait for another try; no new ones are begun beyond. */
    private static final int MOST_TROUBLES = 10_000;

    private static final int LISTED_TROUBLES = 20;
    /** So many failures in a row are no longer taken for those of single keys. */
    private static final int MANY_IN_A_ROW = 20;

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long LONGEST_PAUSE = 60 * SECOND;
    /** What a worker that woke up late may make up for; so much faster than the pace it may be for a moment. */
    private static final long CATCH_UP = TimeUnit.MILLISECONDS.toNanos(20);

    private static final Duration SHORT_WAIT = Duration.ofMillis(100);
    private static final Logger LOG = LoggerFactory.getLogger(Moves.class);

    private final Owners<?> owners;
    private final Mover<?> mover;
    private final KeySource keys;
    private final Supplier<Optional<Directive>> wanted;
    private final Settings settings;
    private final LongSupplier nanos;

    private final AtomicReference<Progress> progress = new AtomicReference<>(Progress.NOTHING_KNOWN);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final List<Thread> threads = new ArrayList<>();

    // All that follows is guarded by this. Nothing in it outlives the plan, but the rate.
    private final MeasuredRate rate;
    private final Set<String> underWay = new HashSet<>();
    private final Deque<Owned> abandoned = new ArrayDeque<>();
    private final Deque<String> found = new ArrayDeque<>();
    private final Map<String, Retry> retries = new LinkedHashMap<>();
    private @Nullable Plan plan;
    private Round round = new Round(true);
    private boolean isPaused;
    private long toMove;
    private long moved;
    private long handedBack;
    private long frozen;
    private long nextMove;
    private long nextRound;
    private long nextLookAtFrozen;
    private int failuresInARow;
    private int failedLooks;
    private Optional<String> problem = Optional.empty();

    /**
     * @param wanted the directive as it is known, like {@code JdbcDirectives::directive}; nothing is moved without one
     */
    public Moves(Owners<?> owners, Mover<?> mover, KeySource keys, Supplier<Optional<Directive>> wanted) {
        this(owners, mover, keys, wanted, Settings.DEFAULT, System::nanoTime);
    }

    /** @param nanos a clock that never goes back, in nanoseconds */
    public Moves(
            Owners<?> owners,
            Mover<?> mover,
            KeySource keys,
            Supplier<Optional<Directive>> wanted,
            Settings settings,
            LongSupplier nanos) {
        this.owners = owners;
        this.mover = mover;
        this.keys = keys;
        this.wanted = wanted;
        this.settings = settings;
        this.nanos = nanos;
        long now = nanos.getAsLong();
        this.rate = new MeasuredRate(now);
        this.nextMove = now;
        this.nextRound = now;
        this.nextLookAtFrozen = now;
    }

    /** How far it has come. Never blocks. */
    public Progress progress() {
        return progress.get();
    }

    /** Begins to work, on threads of its own. To be called once. */
    public synchronized void start() {
        if (!threads.isEmpty() || closed.getCount() == 0) {
            throw new IllegalStateException("moves are started once");
        }
        for (int i = 1; i <= settings.workers(); i++) {
            Thread thread = new Thread(this::work, "sluice-moves-" + i);
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
    }

    /** Begins no further move, and waits for those under way, up to 30 s. */
    @Override
    public void close() {
        closed.countDown();
        List<Thread> running;
        synchronized (this) {
            running = List.copyOf(threads);
        }
        try {
            for (Thread thread : running) {
                thread.join(TimeUnit.SECONDS.toMillis(30));
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    private void work() {
        try {
            while (closed.getCount() > 0) {
                Duration wait = step();
                if (!wait.isZero() && closed.await(wait.toNanos(), TimeUnit.NANOSECONDS)) {
                    return;
                }
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Moves one key, or looks at one page of keys. Throws only what a {@link MoveListener} throws as an error.
     *
     * @return after what time the next step makes sense; zero for at once
     */
    public Duration step() {
        Next next;
        synchronized (this) {
            try {
                next = next(nanos.getAsLong());
                problem = next.problem();
                failedLooks = 0;
            } catch (RuntimeException failed) {
                next = new Next(null, waitAfterFailure("the keys could not be looked at", failed), problem);
            }
            publish();
        }
        if (next.task() == null) {
            return next.pause();
        }
        take(next.task());
        return Duration.ZERO;
    }

    private void take(Task task) {
        try {
            Optional<MoveResult> result;
            try {
                result = stillElsewhere(task)
                        ? Optional.of(mover.move(task.key(), task.to(), task.epoch()))
                        : Optional.empty();
            } catch (RuntimeException failed) {
                result = Optional.of(new MoveResult.Failed(task.key(), MoveStep.FREEZE, failed));
            }
            synchronized (this) {
                ended(task, result);
            }
        } finally {
            synchronized (this) {
                underWay.remove(task.key());
                publish();
            }
        }
    }

    /** The page may be older than a hand-back. */
    private boolean stillElsewhere(Task task) {
        if (task.isAbandoned()) {
            return true;
        }
        Owned now = owners.of(task.key());
        return now.side() != task.to() && !isLeftAlone(task.plan(), now);
    }

    private static boolean isLeftAlone(Plan plan, Owned owned) {
        // Moved under a later plan: this process is behind.
        return plan.isHandedBack(owned.side(), owned.epoch()) || owned.planRevision() > plan.revision();
    }

    private Next next(long now) {
        Optional<Directive> directive = wanted.get();
        if (directive.isEmpty()) {
            isPaused = true;
            return Next.after(SHORT_WAIT, "no plan was read yet");
        }
        Pace pace = directive.get().pace();
        isPaused = pace.isPaused();
        if (plan == null || !plan.equals(directive.get().plan())) {
            begin(directive.get().plan(), now);
        }
        if (now >= nextLookAtFrozen) {
            lookAtFrozen(now);
        }
        Plan current = directive.get().plan();
        while (!abandoned.isEmpty()) {
            Owned left = abandoned.remove();
            if (left.movingTo() != null && underWay.add(left.key())) {
                return Next.task(new Task(left.key(), left.movingTo(), left.epoch(), current, true));
            }
        }
        if (isPaused) {
            return Next.after(SHORT_WAIT);
        }
        if (round.isCounting()) {
            return look(current, now);
        }
        if (now < nextMove) {
            return Next.after(shorter(Duration.ofNanos(nextMove - now), SHORT_WAIT));
        }
        if (failuresInARow > 0 && found.isEmpty() && mayLook(now)) {
            return look(current, now);
        }
        String key = nextKey(now);
        if (key != null) {
            underWay.add(key);
            nextMove = Math.max(nextMove, now - CATCH_UP) + SECOND / pace.keysPerSecond();
            return Next.task(new Task(key, current.wanted(key), current.epoch(), current, false));
        }
        return mayLook(now) ? look(current, now) : Next.after(SHORT_WAIT);
    }

    private boolean mayLook(long now) {
        return now >= nextRound && retries.size() < MOST_TROUBLES;
    }

    private void begin(Plan next, long now) {
        plan = next;
        found.clear();
        retries.clear();
        toMove = 0;
        moved = 0;
        handedBack = 0;
        failuresInARow = 0;
        nextRound = now;
        round = new Round(true);
    }

    private void lookAtFrozen(long now) {
        nextLookAtFrozen = now + SECOND;
        List<Owned> all = owners.frozenFor(Duration.ZERO, MOST_FROZEN);
        frozen = all.size();
        abandoned.clear();
        all.stream()
                .filter(each -> each.age().compareTo(settings.abandonedAfter()) >= 0)
                .filter(each -> !isWaiting(each.key(), now))
                .forEach(abandoned::add);
    }

    private boolean isWaiting(String key, long now) {
        Retry retry = retries.get(key);
        return retry != null && retry.at() > now;
    }

    /**
     * Those that wait come first: there are few, and each waits longer with every try. Right behind a failure one comes that
     * was not tried yet, or keys that always fail would leave no turn to the others.
     */
    private @Nullable String nextKey(long now) {
        found.removeIf(underWay::contains);
        if (failuresInARow > 0 && !found.isEmpty()) {
            return found.poll();
        }
        Optional<String> due = retries.entrySet().stream()
                .filter(each -> each.getValue().at() <= now && !underWay.contains(each.getKey()))
                .min(Comparator.comparingLong(each -> each.getValue().at()))
                .map(Map.Entry::getKey);
        if (due.isPresent()) {
            return due.get();
        }
        return found.poll();
    }

    /** One page: counts what is to be moved, and unless that is all, notes it for moving. */
    private Next look(Plan current, long now) {
        List<String> page = keys.after(round.last, settings.page());
        if (page.isEmpty()) {
            endRound(now);
            return Next.after(Duration.ZERO);
        }
        String last = page.get(page.size() - 1);
        if (last.equals(round.last)) {
            throw new IllegalStateException("the page of keys after " + last + " ends with it again");
        }
        List<String> usable = new ArrayList<>(page.size());
        for (String key : page) {
            try {
                usable.add(Keys.require(key));
            } catch (RefusedException refused) {
                retryLater(key, String.valueOf(refused.getMessage()), now);
            }
        }
        for (Owned owned : owners.of(usable).values()) {
            lookAt(current, owned);
        }
        round.last = last;
        round.looking += nanos.getAsLong() - now;
        return Next.after(Duration.ZERO);
    }

    private void lookAt(Plan current, Owned owned) {
        String key = owned.key();
        if (owned.side() == current.wanted(key)) {
            return;
        }
        if (isLeftAlone(current, owned)) {
            round.handedBack += current.isHandedBack(owned.side(), owned.epoch()) ? 1 : 0;
            return;
        }
        if (round.isCounting()) {
            toMove++;
        } else if (!underWay.contains(key) && !retries.containsKey(key) && !owned.isFrozen()) {
            found.add(key);
            toMove = Math.max(toMove, leftToMove());
        }
    }

    private void endRound(long now) {
        handedBack = round.handedBack;
        if (!round.isCounting()) {
            toMove = leftToMove();
            nextRound = now + Math.max(settings.rest().toNanos(), 4 * round.looking);
        }
        round = new Round(false);
    }

    private long leftToMove() {
        long waiting =
                retries.keySet().stream().filter(key -> !underWay.contains(key)).count();
        return found.size() + underWay.size() + waiting;
    }

    /** @param result empty if the key was there already, or is left alone */
    private void ended(Task task, Optional<MoveResult> result) {
        long now = nanos.getAsLong();
        String key = task.key();
        if (!task.plan().equals(plan)) {
            // What it says is about the plan before.
            return;
        }
        if (result.orElse(null) instanceof MoveResult.Failed failed) {
            retryLater(key, failed.step() + ": " + failed.reason(), now);
            failuresInARow++;
            if (failuresInARow >= MANY_IN_A_ROW) {
                nextMove = now + pause(failuresInARow - MANY_IN_A_ROW + 1);
            }
            return;
        }
        failuresInARow = 0;
        if (result.orElse(null) instanceof MoveResult.Busy) {
            retryLater(key, "a write of it did not end in time", now);
            return;
        }
        retries.remove(key);
        if (result.orElse(null) instanceof MoveResult.Moved) {
            moved++;
            rate.add(now);
        }
        // What a dead mover left may have been on its way to where the plan does not want it any more.
        toMove = Math.max(0, toMove - (task.to() == task.plan().wanted(key) ? 1 : 0));
    }

    private void retryLater(String key, String reason, long now) {
        Retry before = retries.get(key);
        int tries = before == null ? 1 : before.tries() + 1;
        if (before == null && retries.size() >= MOST_TROUBLES) {
            return;
        }
        retries.put(key, new Retry(now + pause(tries), reason, tries));
        if (before == null) {
            LOG.warn("Key {} can't be moved yet and is tried again: {}", key, reason);
        }
    }

    private Duration waitAfterFailure(String what, RuntimeException failed) {
        failedLooks++;
        String described = what + ": " + failed;
        if (!problem.equals(Optional.of(described))) {
            LOG.warn("Moving stands still, {}", what, failed);
        }
        problem = Optional.of(described);
        return Duration.ofNanos(pause(failedLooks));
    }

    private static long pause(int tries) {
        return Math.min(SECOND << Math.min(tries - 1, 6), LONGEST_PAUSE);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private void publish() {
        Plan about = plan;
        if (about == null) {
            return;
        }
        boolean isDone = !round.isCounting() && toMove == 0 && retries.isEmpty();
        Progress.State state = isPaused ? Progress.State.PAUSED : isDone ? Progress.State.DONE : Progress.State.MOVING;
        progress.set(Progress.of(
                about.revision(),
                toMove,
                moved,
                Math.max(handedBack, round.handedBack),
                frozen,
                retries.size(),
                round.isCounting() ? OptionalDouble.empty() : OptionalDouble.of(rate.perSecond(nanos.getAsLong())),
                state,
                retries.entrySet().stream()
                        .limit(LISTED_TROUBLES)
                        .map(each -> new Progress.Trouble(
                                each.getKey(),
                                each.getValue().reason(),
                                each.getValue().tries()))
                        .toList(),
                problem));
    }

    /** @param isAbandoned whether it was left frozen, so that nothing has to be looked up before it is finished */
    private record Task(String key, Side to, long epoch, Plan plan, boolean isAbandoned) {}

    private record Retry(long at, String reason, int tries) {}

    private record Next(@Nullable Task task, Duration pause, Optional<String> problem) {
        static Next task(Task task) {
            return new Next(task, Duration.ZERO, Optional.empty());
        }

        static Next after(Duration pause) {
            return new Next(null, pause, Optional.empty());
        }

        static Next after(Duration pause, String problem) {
            return new Next(null, pause, Optional.of(problem));
        }
    }

    /** Once through all keys. */
    private static final class Round {
        private final boolean isCounting;
        /** How long it has looked at pages so far, in nanoseconds; the moves in between don't count. */
        private long looking;

        private String last = "";
        private long handedBack;

        Round(boolean isCounting) {
            this.isCounting = isCounting;
        }

        boolean isCounting() {
            return isCounting;
        }
    }
}
