package io.sluice.migration.simulation;

import io.sluice.migration.simulation.Schedule.Actor.Doing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Who goes next, and what time it is. Each actor has a thread of its own, but only the one that holds the baton runs; it
 * hands it over at every step, and one seed decides to whom. So real code, with its loops and its try and finally, runs as
 * in production, and the same seed gives the same run. All state here belongs to whoever holds the baton.
 */
final class Schedule {
    private static final int MOST_STEPS = 30_000;
    private static final Duration ENDLESS = Duration.ofDays(1);
    private static final long REAL_SECONDS = 60;

    private final Random random;
    private final ExecutorService threads;
    private final boolean traced;
    private final StringBuilder trace = new StringBuilder();
    private final List<Actor> actors = new ArrayList<>();
    private final PriorityQueue<Timer> timers =
            new PriorityQueue<>(Comparator.comparingLong(Timer::at).thenComparingLong(Timer::number));
    private final Map<String, Integer> counts = new LinkedHashMap<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private Faults faults;
    private long now;
    private long steps;
    private long timersSet;
    private @Nullable Actor current;
    private @Nullable Violation violation;

    private record Timer(long at, long number, Runnable what) {}

    /** The process of an actor has been killed: thrown at its next step, and at every step after that. */
    private static final class Killed extends Error {
        private static final long serialVersionUID = 1L;

        Killed() {
            super("killed", null, false, false);
        }
    }

    /** Some actors that die together. */
    static final class Process {
        private final String name;
        private final boolean isPatient;
        private final Runnable restart;
        private boolean dead;

        /**
         * @param isPatient whether nobody waits for it: then it may also be suspended for as long as the run takes
         * @param restart what somebody does about it when it has died
         */
        Process(String name, boolean isPatient, Runnable restart) {
            this.name = name;
            this.isPatient = isPatient;
            this.restart = restart;
        }

        String name() {
            return name;
        }
    }

    static final class Actor {
        enum Doing {
            READY,
            SLEEPING,
            WAITING
        }

        private final String name;
        private final @Nullable Process process;
        private final Runnable body;
        private volatile @Nullable Thread thread;
        private volatile boolean hasBaton;
        private Doing doing = Doing.READY;
        private long until;
        private boolean isSuspended;
        private BooleanSupplier condition = () -> true;
        /** What the database ends when this actor is gone, or stands still for too long. */
        private @Nullable Transaction transaction;

        Actor(String name, @Nullable Process process, Runnable body) {
            this.name = name;
            this.process = process;
            this.body = body;
        }

        @Nullable
        Transaction transaction() {
            return transaction;
        }

        void in(@Nullable Transaction next) {
            transaction = next;
        }

        private boolean isDead() {
            return process != null && process.dead;
        }

        private boolean canGo(long now) {
            return isDead()
                    || switch (doing) {
                        case READY -> true;
                        case SLEEPING -> until <= now;
                        case WAITING -> until <= now || condition.getAsBoolean();
                    };
        }
    }

    Schedule(Random random, Faults faults, ExecutorService threads, boolean traced) {
        this.random = random;
        this.faults = faults;
        this.threads = threads;
        this.traced = traced;
    }

    // ---- The run

    /** Plays until no actor is left, and throws what was violated. */
    void run() {
        Actor first = next();
        if (first != null) {
            hand(first);
            awaitEnd();
        }
        if (violation != null) {
            throw violation;
        }
    }

    private void awaitEnd() {
        try {
            if (!over.await(REAL_SECONDS, TimeUnit.SECONDS)) {
                StringBuilder stacks = new StringBuilder("the simulation itself hangs: an actor waits outside of it");
                for (Actor actor : List.copyOf(actors)) {
                    Thread thread = actor.thread;
                    stacks.append('\n').append(actor.name);
                    for (StackTraceElement at : thread == null ? new StackTraceElement[0] : thread.getStackTrace()) {
                        stacks.append("\n  ").append(at);
                    }
                }
                throw new IllegalStateException(stacks.toString());
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", interrupted);
        }
    }

    /** Adds an actor. It begins when its turn comes. */
    void spawn(String name, @Nullable Process process, Runnable body) {
        Actor actor = new Actor(name, process, body);
        actors.add(actor);
        threads.execute(() -> live(actor));
    }

    private void live(Actor actor) {
        actor.thread = Thread.currentThread();
        awaitBaton(actor);
        try {
            if (violation == null && !actor.isDead()) {
                actor.body.run();
            }
        } catch (Killed killed) {
            // Its process is gone, or the run is over.
        } catch (Violation found) {
            fail(found);
        } catch (Throwable unexpected) {
            Violation found = new Violation("an unexpected error in " + actor.name + ": " + unexpected);
            found.initCause(unexpected);
            fail(found);
        }
        actors.remove(actor);
        Transaction left = actor.transaction;
        if (left != null && violation == null) {
            left.end();
        }
        Actor next = next();
        if (next == null) {
            over.countDown();
        } else {
            hand(next);
        }
    }

    private static void awaitBaton(Actor actor) {
        while (!actor.hasBaton) {
            LockSupport.park(actor);
        }
        actor.hasBaton = false;
    }

    private void hand(Actor to) {
        current = to;
        to.hasBaton = true;
        Thread thread = to.thread;
        // A thread that has not begun yet sees the baton when it does.
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    private @Nullable Actor next() {
        if (violation != null) {
            return actors.isEmpty() ? null : actors.get(0);
        }
        while (!actors.isEmpty()) {
            runTimers();
            if (violation != null) {
                return actors.get(0);
            }
            Actor chosen = choose();
            if (chosen != null) {
                return chosen;
            }
            long soonest = timers.isEmpty() ? Long.MAX_VALUE : timers.peek().at();
            for (Actor actor : actors) {
                soonest = Math.min(soonest, actor.until);
            }
            if (soonest == Long.MAX_VALUE) {
                fail(new Violation("nobody can go on: "
                        + actors.stream().map(each -> each.name).toList()));
                return actors.get(0);
            }
            now = Math.max(now, soonest);
        }
        return null;
    }

    private void runTimers() {
        while (violation == null && !timers.isEmpty() && timers.peek().at() <= now) {
            try {
                timers.remove().what().run();
            } catch (Violation found) {
                fail(found);
            }
        }
    }

    private @Nullable Actor choose() {
        int able = 0;
        Actor chosen = null;
        // Who has the baton keeps it every third time: long stretches of one actor are schedules too, and cheap.
        if (current != null && random.nextInt(3) == 0 && actors.contains(current) && current.canGo(now)) {
            return current;
        }
        for (Actor actor : actors) {
            if (actor.canGo(now) && random.nextInt(++able) == 0) {
                chosen = actor;
            }
        }
        return chosen;
    }

    private void pass(Actor actor) {
        Actor next = next();
        if (next != null && next != actor) {
            hand(next);
            awaitBaton(actor);
        }
        actor.doing = Doing.READY;
        actor.until = Long.MAX_VALUE;
        if (violation != null || actor.isDead()) {
            throw new Killed();
        }
    }

    // ---- What actors do

    Actor current() {
        if (current == null) {
            throw new IllegalStateException("nobody has the baton");
        }
        return current;
    }

    /** Lets others go. What follows happens at once, until the next step. A fault may strike here. */
    void step(String what) {
        Actor actor = current();
        if (violation != null || actor.isDead()) {
            throw new Killed();
        }
        if (++steps > MOST_STEPS) {
            throw fail(new Violation("no end after " + MOST_STEPS + " steps"));
        }
        now += 50_000 + random.nextInt(1_000_000);
        if (actor.process != null && strikes(faults.crash())) {
            crash(what);
        }
        if (strikes(faults.suspend())) {
            suspend(actor, what);
        } else {
            actor.until = Long.MAX_VALUE;
            pass(actor);
        }
    }

    /** Lets time go by. */
    void sleep(Duration time) {
        Actor actor = current();
        actor.doing = Doing.SLEEPING;
        actor.until = now + time.toNanos();
        pass(actor);
    }

    /** Waits until something is so, at most that long. */
    boolean await(BooleanSupplier condition, Duration limit) {
        if (condition.getAsBoolean()) {
            return true;
        }
        Actor actor = current();
        actor.doing = Doing.WAITING;
        actor.condition = condition;
        actor.until = limit.toNanos() == Long.MAX_VALUE ? Long.MAX_VALUE : now + limit.toNanos();
        pass(actor);
        return condition.getAsBoolean();
    }

    /** Does something later, between two steps. It must not step itself. */
    void later(Duration delay, Runnable what) {
        timers.add(new Timer(now + delay.toNanos(), timersSet++, what));
    }

    /** Whether a fault strikes that strikes once in so many. */
    boolean strikes(int oneIn) {
        return oneIn > 0 && random.nextInt(oneIn) == 0;
    }

    /** The process of the actor that has the baton dies here and now. */
    Error crash(String where) {
        Actor actor = current();
        Process process = actor.process;
        if (process == null) {
            throw new IllegalStateException(actor.name + " can't die");
        }
        note(() -> "CRASH of " + process.name + " at: " + where);
        count("crash at " + where);
        process.dead = true;
        for (Actor other : actors) {
            Transaction open = other.transaction;
            if (other.process == process && open != null) {
                open.lose(random.nextBoolean());
                other.transaction = null;
            }
        }
        process.restart.run();
        throw new Killed();
    }

    private void suspend(Actor actor, String what) {
        boolean isEndless = actor.process != null && actor.process.isPatient && random.nextInt(8) == 0;
        Duration time = isEndless
                ? ENDLESS
                : Duration.ofMillis(random.nextBoolean() ? random.nextInt(1_000) : random.nextInt(30_000));
        note(() -> "suspended for " + time.toMillis() + " ms at: " + what);
        count("suspended at " + what);
        Transaction open = actor.transaction;
        if (open != null) {
            open.standStill(time);
        }
        actor.isSuspended = true;
        sleep(time);
        actor.isSuspended = false;
    }

    /** From now on nothing goes wrong any more, and whoever stands still goes on. */
    void calm() {
        note(() -> "no more faults");
        faults = Faults.NONE;
        for (Actor actor : actors) {
            if (actor.isSuspended) {
                actor.until = now;
            }
        }
    }

    Faults faults() {
        return faults;
    }

    Random random() {
        return random;
    }

    long nanos() {
        return now;
    }

    long steps() {
        return steps;
    }

    /** Ends the run: the first violation counts. */
    Violation fail(Violation found) {
        if (violation == null) {
            violation = found;
            note(() -> "VIOLATION: " + found.getMessage());
        }
        return found;
    }

    // ---- What was seen

    void count(String what) {
        counts.merge(what, 1, Integer::sum);
    }

    /** How often each thing was seen, and {@code steps}. */
    Map<String, Integer> counts() {
        counts.put("steps", (int) steps);
        return counts;
    }

    /** Writes a line of the trace; it is only made when somebody wants to read it. */
    void note(Supplier<String> line) {
        if (traced) {
            trace.append(
                    String.format("%10.3f ms %-14s %s%n", now / 1e6, current == null ? "" : current.name, line.get()));
        }
    }

    String trace() {
        return trace.toString();
    }
}
