package io.sluice.server.deployers;

import io.sluice.core.channel.Deployer;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.tag.Color;
import io.sluice.server.deployers.ProcessStates.Ended;
import io.sluice.server.outbound.Outbound;
import io.sluice.wire.LocalProcess;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops and starts the processes of a file on this machine. What was started is written down before it runs, so that a
 * server that died finds its processes again and none is started twice; they live on meanwhile. A process that runs the
 * wanted version and answers is left alone, which makes every order one that can be given again.
 *
 * <p>One thread works; callers leave their orders and read how far they are.
 */
final class ProcessDeployer implements Deployer, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ProcessDeployer.class);
    private static final long LOOK_EVERY_MILLIS = 100;

    private final List<LocalProcess> configured;
    private final Launcher launcher;
    private final Path stateFile;
    private final Outbound outbound;
    private final ExecutorService connections = Executors.newFixedThreadPool(2, daemons("sluice-processes-http"));
    private final Thread worker;

    // Guarded by this.
    private final Map<String, Work> orders = new LinkedHashMap<>();
    private boolean closed;

    // The worker's alone.
    private final Map<String, Process> children = new LinkedHashMap<>();
    private @Nullable ProcessStates states;

    /**
     * @param base the directory that relative paths are relative to
     * @param data where the state and the logs are kept
     * @throws RefusedException when what is kept there cannot be read
     */
    ProcessDeployer(List<LocalProcess> configured, Path base, Path data) {
        this.configured = List.copyOf(configured);
        this.launcher = new Launcher(base, data.resolve("logs"));
        this.stateFile = data.resolve("processes.json");
        ProcessStates.requireReadable(stateFile);
        this.outbound = new Outbound(ProcessTask.ANSWER_WITHIN, ProcessTask.LARGEST_ANSWER, connections);
        this.worker = daemons("sluice-processes").newThread(this::work);
        this.worker.start();
    }

    private static ThreadFactory daemons(String name) {
        return task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    @Override
    public synchronized Progress deploy(Order order) {
        Work known = orders.get(order.key());
        if (known == null) {
            known = new Work(order);
            orders.put(order.key(), known);
            notifyAll();
        }
        return known.progress;
    }

    /** The processes live on; whoever opens the same directory next finds them. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        try {
            worker.join(TimeUnit.SECONDS.toMillis(5));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        connections.shutdownNow();
    }

    private void work() {
        try {
            for (List<Work> todo = next(); !todo.isEmpty(); todo = next()) {
                for (Work work : todo) {
                    lookSafely(work);
                }
                pause();
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        } finally {
            closeStates();
        }
    }

    /** Waits for something to do. @return nothing when there will be no more */
    private synchronized List<Work> next() throws InterruptedException {
        while (!closed) {
            List<Work> todo = orders.values().stream()
                    .filter(work -> work.progress instanceof Progress.Running)
                    .toList();
            if (!todo.isEmpty()) {
                return todo;
            }
            wait();
        }
        return List.of();
    }

    private synchronized void pause() throws InterruptedException {
        if (!closed) {
            wait(LOOK_EVERY_MILLIS);
        }
    }

    private void lookSafely(Work work) {
        try {
            ProcessStates opened = states == null ? openStates(work) : states;
            if (opened != null && work.progress instanceof Progress.Running) {
                look(work, opened);
            }
        } catch (IOException | RuntimeException failed) {
            Progress before = work.progress;
            work.progress = new Progress.Running("tried again after: " + failed.getMessage());
            if (!work.progress.equals(before)) {
                log.warn("order {} goes on after a failure", work.order.key(), failed);
            }
        }
    }

    private @Nullable ProcessStates openStates(Work work) throws IOException {
        Optional<ProcessStates> opened = ProcessStates.open(stateFile);
        if (opened.isEmpty()) {
            work.progress = new Progress.Running("another server has " + stateFile + "; waiting for its end");
            return null;
        }
        states = opened.get();
        return states;
    }

    private void look(Work work, ProcessStates opened) throws IOException {
        Ended ended = opened.ended(work.order.key());
        if (ended != null) {
            end(work, ended);
            return;
        }
        if (work.tasks == null) {
            begin(work, opened);
        }
        List<ProcessTask> tasks = work.tasks == null ? List.of() : work.tasks;
        List<String> waitsFor = new ArrayList<>();
        for (ProcessTask task : tasks) {
            ProcessTask.Outcome outcome = task.look(opened);
            if (outcome.isFailure()) {
                endWith(work, opened, outcome.says());
                return;
            }
            if (!outcome.isDone()) {
                waitsFor.add(outcome.says());
            }
        }
        if (waitsFor.isEmpty()) {
            endWith(work, opened, "");
        } else {
            int done = tasks.size() - waitsFor.size();
            work.progress = new Progress.Running(
                    done + " of " + tasks.size() + " processes are done; " + String.join(", ", waitsFor));
        }
    }

    /** Written down first: who is told of the end never hears of anything else, whatever happens next. */
    private void endWith(Work work, ProcessStates opened, String failure) throws IOException {
        Ended ended = new Ended(work.order.key(), failure);
        opened.noteEnded(ended);
        end(work, ended);
        if (failure.isEmpty()) {
            log.info("order {} is carried out", work.order.key());
        } else {
            log.warn("order {} failed: {}", work.order.key(), failure);
        }
    }

    /** Kept as long as the file keeps it. */
    private void end(Work work, Ended ended) {
        work.progress = ended.failure().isEmpty() ? new Progress.Done() : new Progress.Failed(ended.failure());
        work.tasks = null;
        forgetOldest();
    }

    private synchronized void forgetOldest() {
        if (orders.size() > ProcessStates.MOST_ENDED) {
            List<String> ended = orders.entrySet().stream()
                    .filter(entry -> !(entry.getValue().progress instanceof Progress.Running))
                    .map(Map.Entry::getKey)
                    .toList();
            ended.stream().limit(orders.size() - ProcessStates.MOST_ENDED).forEach(orders::remove);
        }
    }

    private void begin(Work work, ProcessStates opened) throws IOException {
        Map<String, ProcessTask> tasks = new LinkedHashMap<>();
        try {
            for (Target target : work.order.targets()) {
                tasks(work.order.key(), target).forEach(task -> tasks.put(task.name(), task));
            }
        } catch (RefusedException impossible) {
            endWith(work, opened, impossible.problems().get(0).allowed());
            return;
        }
        takeOver(work, tasks.keySet(), opened);
        work.tasks = List.copyOf(tasks.values());
        log.info(
                "order {} of release {} touches {}",
                work.order.key(),
                work.order.release(),
                String.join(", ", tasks.keySet()));
    }

    /** Two orders must not pull at one process; the newer one is what somebody wants now. */
    private void takeOver(Work newer, Set<String> processes, ProcessStates opened) throws IOException {
        List<Work> others;
        synchronized (this) {
            others = List.copyOf(orders.values());
        }
        for (Work other : others) {
            List<ProcessTask> tasks = other.tasks;
            if (other != newer
                    && tasks != null
                    && tasks.stream().map(ProcessTask::name).anyMatch(processes::contains)) {
                endWith(other, opened, "order " + newer.order.key() + " took over");
            }
        }
    }

    /** @throws RefusedException when the file has not what the target wants, said as {@code allowed} */
    private List<ProcessTask> tasks(String order, Target target) {
        Color color = target.color();
        List<LocalProcess> side = configured.stream()
                .filter(process -> process.service().equals(target.service()))
                .filter(process -> color == null || color == process.color())
                .toList();
        String where = target.service() + (color == null ? "" : " on the " + color.label() + " side");
        if (!target.only().isEmpty()) {
            return only(side, where, target).stream()
                    .map(process -> task(order, process, target.version()))
                    .toList();
        }
        if (target.instances() > side.size()) {
            throw new RefusedException(
                    "",
                    "",
                    target.instances() + " processes of " + where + " were ordered, but the file of --processes has "
                            + side.size());
        }
        List<ProcessTask> tasks = new ArrayList<>();
        for (int i = 0; i < side.size(); i++) {
            tasks.add(task(order, side.get(i), i < target.instances() ? target.version() : null));
        }
        return tasks;
    }

    private static List<LocalProcess> only(List<LocalProcess> side, String where, Target target) {
        Map<String, LocalProcess> byInstance =
                side.stream().collect(Collectors.toMap(LocalProcess::instance, process -> process));
        for (String instance : target.only()) {
            if (!byInstance.containsKey(instance)) {
                throw new RefusedException(
                        "", "", "the file of --processes has no instance " + instance + " of " + where);
            }
        }
        return target.only().stream().map(byInstance::get).toList();
    }

    private ProcessTask task(String order, LocalProcess process, @Nullable String version) {
        return new ProcessTask(process, version, order, launcher, children, () -> isReady(process), System::nanoTime);
    }

    private CompletableFuture<Boolean> isReady(LocalProcess process) {
        HttpRequest request = HttpRequest.newBuilder(process.ready()).GET().build();
        return outbound.ask(request).handle((response, failure) -> response != null && response.statusCode() / 100 == 2);
    }

    private void closeStates() {
        try {
            if (states != null) {
                states.close();
            }
        } catch (IOException ignored) {
            log.debug("the lock of {} was not given up; the system does it", stateFile, ignored);
        }
    }

    /** An order and how far it is. */
    private static final class Work {
        private final Order order;
        private volatile Progress progress = new Progress.Running("taken up");

        // The worker's alone; null before it has begun and after it has ended.
        private @Nullable List<ProcessTask> tasks;

        Work(Order order) {
            this.order = order;
        }
    }
}
