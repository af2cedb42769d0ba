package io.sluice.cli.demo.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A program in its process. It ends when this process ends, however that comes about. */
final class RunningProgram {
    private static final int TAIL_LINES = 15;
    private static final int PATIENCE_SECONDS = 30;

    // What the user has set for other programs (SPRING_..., SLUICE_..., JAVA_TOOL_OPTIONS) must not reach the demo.
    private static final Set<String> INHERITED = Set.of("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TZ");

    private final Program program;
    private final Path log;
    private final long startedNanos = System.nanoTime();

    // Its standard input is a pipe that stays open and unwritten for as long as this process lives.
    private final Process process;

    private RunningProgram(Program program, Path log, Process process) {
        this.program = program;
        this.log = log;
        this.process = process;
    }

    static RunningProgram start(Program program, Path supervisor, Path logs) {
        Path log = logs.resolve(program.logName());
        ProcessBuilder builder = new ProcessBuilder(program.command(supervisor))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        Map<String, String> environment = builder.environment();
        environment.keySet().retainAll(INHERITED);
        environment.put("MALLOC_ARENA_MAX", "2");
        environment.putAll(program.environment());
        try {
            return new RunningProgram(program, log, builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Program program() {
        return program;
    }

    long pid() {
        return process.pid();
    }

    long ageNanos() {
        return System.nanoTime() - startedNanos;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    boolean isReady() {
        return program.readiness().isReady(program.port());
    }

    /** Its exit code and the last lines that it wrote, for a process that ended. */
    String obituary() {
        return program.name() + " ended with exit code " + process.exitValue() + "; its last lines in " + log + ":\n"
                + String.join("\n", lastLines());
    }

    private List<String> lastLines() {
        try {
            List<String> lines = new String(Files.readAllBytes(log), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            return lines.stream()
                    .skip(Math.max(0, lines.size() - TAIL_LINES))
                    .map(line -> line.replace("\t", "    "))
                    .toList();
        } catch (IOException e) {
            return List.of("(its log cannot be read: " + e.getMessage() + ")");
        }
    }

    /** Ends it as its program says; a program that is asked may take a while. */
    void end() {
        if (program.ending() == Ending.ASKED) {
            try {
                process.getOutputStream().close();
                return;
            } catch (IOException gone) {
                // Then it has ended, or can't be asked.
            }
        }
        kill();
    }

    /** Ends it at once, as kill -9 does. */
    void kill() {
        process.destroyForcibly();
    }

    void awaitEnd() throws InterruptedException {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            kill();
            process.waitFor();
        }
    }
}
