package io.sluice.cli.demo.process;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/**
 * The processes of one demo, by name. None outlives this object's {@link #close()}, nor this process.
 *
 * <p>One thread starts and kills; any thread may close.
 */
public final class Fleet implements AutoCloseable {
    private static final Duration LOOK_EVERY = Duration.ofMillis(100);

    private final Path supervisor;
    private final Path logs;
    private final Map<String, RunningProgram> running = new LinkedHashMap<>();
    private boolean closed;

    /**
     * A fleet without processes.
     *
     * @param supervisor the jar with the class that ends each process when this one is gone
     * @param logs the directory for one log a process
     */
    public Fleet(Path supervisor, Path logs) {
        this.supervisor = supervisor;
        this.logs = logs;
    }

    /**
     * Starts programs together and waits until each is ready.
     *
     * @param onReady told of each one and of how long it took
     * @throws ProcessFailedException when one ends, or is not ready in time
     */
    public void start(List<Program> programs, Duration atMost, ReadyListener onReady)
            throws IOException, InterruptedException {
        List<RunningProgram> pending = new ArrayList<>();
        programs.forEach(program -> pending.add(launch(program)));
        long deadline = System.nanoTime() + atMost.toNanos();
        while (true) {
            for (RunningProgram ready : nowReady(pending)) {
                pending.remove(ready);
                onReady.ready(ready.program(), Duration.ofNanos(ready.ageNanos()));
            }
            if (pending.isEmpty()) {
                return;
            }
            if (System.nanoTime() > deadline) {
                throw new ProcessFailedException(pending.get(0).program().name() + " was not ready after "
                        + atMost.toSeconds() + "s; see the logs in " + logs);
            }
            TimeUnit.NANOSECONDS.sleep(LOOK_EVERY.toNanos());
        }
    }

    private static List<RunningProgram> nowReady(List<RunningProgram> pending) {
        for (RunningProgram starting : pending) {
            if (!starting.isAlive()) {
                throw new ProcessFailedException(starting.obituary());
            }
        }
        return pending.stream().filter(RunningProgram::isReady).toList();
    }

    private synchronized RunningProgram launch(Program program) {
        if (closed) {
            throw new ProcessFailedException("the demo is ending; " + program.name() + " is not started");
        }
        RunningProgram started = RunningProgram.start(program, supervisor, logs);
        running.put(program.name(), started);
        return started;
    }

    /** Kills one process as kill -9 does; from then on it is not missed. */
    public synchronized void kill(String name) throws InterruptedException {
        RunningProgram victim = running.remove(name);
        if (victim == null) {
            throw new IllegalArgumentException(name + " does not run");
        }
        victim.kill();
        victim.awaitEnd();
    }

    /**
     * Fails when the fleet is no longer whole.
     *
     * @throws ProcessFailedException when a process ended that nobody killed
     */
    public synchronized void requireAlive() {
        for (RunningProgram program : running.values()) {
            if (!program.isAlive()) {
                throw new ProcessFailedException(program.obituary());
            }
        }
    }

    public synchronized int size() {
        return running.size();
    }

    /** The memory that all processes hold, this one included; zero where the system does not tell. */
    public synchronized long residentBytes() {
        LongStream pids = running.values().stream().mapToLong(RunningProgram::pid);
        return ResidentMemory.bytes(
                LongStream.concat(pids, LongStream.of(ProcessHandle.current().pid())));
    }

    /**
     * Ends all processes and waits for their end; none can be started afterwards.
     *
     * @return whether there was any to end
     */
    public synchronized boolean end() {
        closed = true;
        boolean any = !running.isEmpty();
        // In the order opposite to their start, so that nobody misses what he needs.
        List<RunningProgram> last = new ArrayList<>(running.values());
        Collections.reverse(last);
        last.forEach(RunningProgram::end);
        try {
            for (RunningProgram ended : running.values()) {
                ended.awaitEnd();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        running.clear();
        return any;
    }

    @Override
    public void close() {
        end();
    }

    /** Told of each program that is ready, and how long after its start. */
    @FunctionalInterface
    public interface ReadyListener {
        void ready(Program program, Duration took) throws IOException;
    }
}
