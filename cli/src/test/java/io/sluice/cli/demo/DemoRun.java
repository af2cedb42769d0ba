package io.sluice.cli.demo;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** One run of the launcher with {@code demo --once} and short stages, its output in a file. */
final class DemoRun {
    private static final Duration END = Duration.ofSeconds(60);

    private final Process launcher;
    private final Path output;

    private DemoRun(Process launcher, Path output) {
        this.launcher = launcher;
        this.output = output;
    }

    static DemoRun start(Path directory, String... options) throws IOException {
        return startAt(directory, "3s", "150", options);
    }

    static DemoRun startAt(Path directory, String hold, String rate, String... options) throws IOException {
        Path output = directory.resolve("output.txt");
        List<String> command = new ArrayList<>(List.of(
                launcher().toString(), "demo", "--once", "--hold", hold, "--rps", rate, "--keep-logs", "" + directory));
        command.addAll(List.of(options));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        return new DemoRun(process, output);
    }

    private static Path launcher() {
        return Stream.iterate(Path.of("").toAbsolutePath(), place -> place != null, Path::getParent)
                .map(place -> place.resolve("sluice"))
                .filter(Files::isRegularFile)
                .findFirst()
                .orElseThrow();
    }

    int exitCode(Duration atMost) throws InterruptedException {
        if (!launcher.waitFor(atMost.toSeconds(), TimeUnit.SECONDS)) {
            kill();
            throw new AssertionError("the demo did not end within " + atMost + ":\n" + output());
        }
        return launcher.exitValue();
    }

    String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            return "(no output: " + e.getMessage() + ")";
        }
    }

    void awaitOutput(String text, Duration atMost) {
        await().atMost(atMost).until(() -> output().contains(text));
    }

    /** The launcher and all that it started. */
    List<ProcessHandle> processes() {
        return Stream.concat(Stream.of(launcher.toHandle()), launcher.descendants())
                .toList();
    }

    /** Kills the launcher as kill -9 does, and nothing else. */
    void kill() {
        launcher.destroyForcibly();
    }

    static void awaitEndOf(List<ProcessHandle> processes) {
        await().atMost(END).until(() -> processes.stream().noneMatch(ProcessHandle::isAlive));
    }
}
