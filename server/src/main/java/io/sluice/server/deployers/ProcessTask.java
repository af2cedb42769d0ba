package io.sluice.server.deployers;

import io.sluice.server.deployers.ProcessStates.Started;
import io.sluice.wire.LocalProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What an order wants of one process: that it runs a version, or nothing. Looked at again and again, by one thread. */
final class ProcessTask {
    /** How long a process may take to say that it is ready, and how much it may say. */
    static final Duration ANSWER_WITHIN = Duration.ofSeconds(2);

    static final int LARGEST_ANSWER = 64 * 1024;

    private final LocalProcess process;
    private final @Nullable String version;
    private final String order;
    private final Launcher launcher;
    private final Map<String, Process> children;
    private final Supplier<CompletableFuture<Boolean>> readiness;
    private final LongSupplier nanoClock;
    private @Nullable CompletableFuture<Boolean> asked;
    private @Nullable Long stoppingSince;
    private boolean isDone;

    /**
     * @param version what it shall run; null for nothing
     * @param children the processes that this one started, by name, for their exit codes
     * @param readiness asks it whether it can be used
     */
    ProcessTask(
            LocalProcess process,
            @Nullable String version,
            String order,
            Launcher launcher,
            Map<String, Process> children,
            Supplier<CompletableFuture<Boolean>> readiness,
            LongSupplier nanoClock) {
        this.process = process;
        this.version = version;
        this.order = order;
        this.launcher = launcher;
        this.children = children;
        this.readiness = readiness;
        this.nanoClock = nanoClock;
    }

    /** @param says what it is at or what went wrong; empty when it is done */
    record Outcome(boolean isFailure, String says) {
        private static final Outcome DONE = new Outcome(false, "");

        boolean isDone() {
            return says.isEmpty();
        }
    }

    String name() {
        return process.name();
    }

    /** @throws IOException when what is to be done could not be written down first; nothing was done */
    Outcome look(ProcessStates states) throws IOException {
        Started known = states.started(name());
        Started alive = known != null && known.identity().isAlive() ? known : null;
        if (version == null) {
            return alive == null ? gone(states) : stop(alive);
        }
        if (known != null && known.order().equals(order) && known.version().equals(version)) {
            return alive == null ? ended(states, known) : awaitReady(states, alive);
        }
        if (alive == null) {
            return start(states);
        }
        if (alive.version().equals(version) && stoppingSince == null) {
            return leave(alive);
        }
        return stop(alive);
    }

    private Outcome gone(ProcessStates states) {
        states.forget(name());
        children.remove(name());
        return Outcome.DONE;
    }

    /** It runs already what is wanted; unless it does not answer, there is nothing to do. */
    private Outcome leave(Started started) {
        if (isDone) {
            return Outcome.DONE;
        }
        Boolean ready = isReady();
        if (ready == null) {
            return goesOn("is asked whether it is well");
        }
        isDone = ready;
        return ready ? Outcome.DONE : stop(started);
    }

    private Outcome stop(Started started) {
        asked = null;
        long now = nanoClock.getAsLong();
        if (stoppingSince == null) {
            stoppingSince = now;
            started.identity().terminate();
        } else if (now - stoppingSince >= process.stopWithin().toNanos()) {
            started.identity().kill();
        }
        return goesOn("stops");
    }

    private Outcome start(ProcessStates states) throws IOException {
        Launcher.Waiting waiting;
        try {
            waiting = launcher.start(process, String.valueOf(version));
        } catch (IOException impossible) {
            return new Outcome(true, name() + " could not be started: " + impossible.getMessage());
        }
        Started started =
                new Started(name(), String.valueOf(version), order, waiting.identity(), false, waiting.logFrom());
        try {
            states.noteStarted(started);
        } catch (IOException | RuntimeException unwritten) {
            waiting.giveUp();
            throw unwritten;
        }
        asked = null;
        children.put(name(), waiting.process());
        release(waiting);
        states.noteStarted(started.asReleased());
        return goesOn("starts");
    }

    private static void release(Launcher.Waiting waiting) {
        try {
            waiting.release();
        } catch (IOException ended) {
            // Somebody ended it already; that is seen at the next look.
        }
    }

    private Outcome awaitReady(ProcessStates states, Started started) throws IOException {
        if (isDone) {
            return Outcome.DONE;
        }
        Boolean ready = isReady();
        isDone = ready != null && ready;
        if (isDone && !started.released()) {
            states.noteStarted(started.asReleased());
        }
        return isDone ? Outcome.DONE : goesOn("is not ready yet");
    }

    /** One that was never let go did not run: its server died in the moment between. */
    private Outcome ended(ProcessStates states, Started started) throws IOException {
        Process child = children.get(name());
        if (child == null && !started.released()) {
            return start(states);
        }
        if (child != null && child.isAlive()) {
            // The kernel knows it already, and its exit code comes in a moment.
            return goesOn("ends");
        }
        String code = child == null
                ? "an exit code that nobody saw, since the server was started anew"
                : "exit code " + child.exitValue();
        return new Outcome(
                true,
                name() + " ended with " + code + "; its last lines in " + launcher.log(process) + ":\n"
                        + launcher.lastLines(process, started.logFrom()));
    }

    /** The newest answer; null while there is none. Then it is asked again. */
    private @Nullable Boolean isReady() {
        CompletableFuture<Boolean> newest = asked;
        if (newest == null) {
            asked = readiness.get();
            return null;
        }
        if (!newest.isDone()) {
            return null;
        }
        asked = null;
        return newest.join();
    }

    private Outcome goesOn(String doing) {
        return new Outcome(false, name() + " " + doing);
    }
}
