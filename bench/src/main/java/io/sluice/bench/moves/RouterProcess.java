package io.sluice.bench.moves;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The process of one router, as whoever has started it sees it. Safe for use by many threads. */
final class RouterProcess implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 120;

    private final String name;
    private final Process process;
    private final CountDownLatch ready = new CountDownLatch(1);
    private final Set<String> surprises = ConcurrentHashMap.newKeySet();
    private volatile long written;
    private volatile boolean isEnded;

    private RouterProcess(String name, Process process) {
        this.name = name;
        this.process = process;
        Thread reader = new Thread(this::read, "router-" + name);
        reader.setDaemon(true);
        reader.start();
    }

    /** @param arguments those of {@link RouterMain} */
    static RouterProcess start(String name, List<String> arguments, Path log) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                RouterMain.class.getName()));
        command.addAll(arguments);
        return new RouterProcess(
                name, new ProcessBuilder(command).redirectError(log.toFile()).start());
    }

    String name() {
        return name;
    }

    void awaitReady() throws InterruptedException {
        if (!ready.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("router " + name + " is not ready");
        }
    }

    /** Operations of its customers that have happened, a second ago. */
    long written() {
        return written;
    }

    /** What its customers met that nobody should. */
    List<String> surprises() {
        return List.copyOf(surprises);
    }

    /** As by {@code kill -9}. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("router " + name + " did not die");
        }
    }

    /** It does nothing any more until {@link #goOn}, and does not know that it did nothing. */
    void suspend() throws IOException, InterruptedException {
        signal("-STOP");
    }

    void goOn() throws IOException, InterruptedException {
        signal("-CONT");
    }

    private void signal(String which) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", which, String.valueOf(process.pid())).start();
        if (kill.waitFor() != 0) {
            throw new IllegalStateException("kill " + which + " of router " + name + " failed");
        }
    }

    /** Lets it end what it is about. */
    void end() throws IOException, InterruptedException {
        process.getOutputStream().write("stop\n".getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || !isEnded) {
            throw new IllegalStateException("router " + name + " did not end as it should");
        }
    }

    private void read() {
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                if (line.equals("ready")) {
                    ready.countDown();
                } else if (line.equals("ended")) {
                    isEnded = true;
                } else if (line.startsWith("written ")) {
                    written = Long.parseLong(line.substring("written ".length()));
                } else {
                    surprises.add(line);
                }
            }
        } catch (IOException gone) {
            // It was killed.
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
