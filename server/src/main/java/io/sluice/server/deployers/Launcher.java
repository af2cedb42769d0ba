package io.sluice.server.deployers;

import io.sluice.core.problem.Problem;
import io.sluice.wire.LocalProcess;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Starts configured processes. They live on when this one ends: their output goes to files, and neither a hang-up nor the
 * interrupt key of its terminal reaches them.
 */
final class Launcher {
    // What the user has set for other programs (SPRING_..., SLUICE_..., JAVA_TOOL_OPTIONS) must not reach them.
    private static final Set<String> INHERITED = Set.of("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TZ");
    private static final Path SHELL = Path.of("/bin/sh");
    // Waits for a line before it becomes the program. The kernel closes the pipe when this process dies, and then it ends:
    // so nothing ever runs of which it is not written down that it does.
    private static final String GATE = "trap '' INT HUP; read -r go && exec \"$@\" </dev/null";
    private static final int TAIL_BYTES = 8192;
    private static final int TAIL_LINES = 10;
    private static final int TAIL_CHARACTERS = 600;

    private final Path base;
    private final Path logs;

    /**
     * @param base where a process runs that names no directory, and what relative paths are relative to
     * @param logs where the logs go of those that name none
     */
    Launcher(Path base, Path logs) {
        this.base = base;
        this.logs = logs;
    }

    /** A process that waits to be let go. @param logFrom where its lines will begin in its log */
    record Waiting(Process process, ProcessIdentity identity, long logFrom) {
        /** Lets it become the program. */
        void release() throws IOException {
            try (OutputStream gate = process.getOutputStream()) {
                gate.write('\n');
            }
        }

        /** Ends it before it was anything. */
        void giveUp() {
            process.destroyForcibly();
        }
    }

    /** @throws IOException with a message for people when it cannot be started */
    Waiting start(LocalProcess configured, String version) throws IOException {
        Path directory = configured.directory() == null ? base : base.resolve(configured.directory());
        if (!Files.isDirectory(directory)) {
            throw new IOException("its directory " + directory + " does not exist");
        }
        Path log = log(configured);
        Files.createDirectories(Objects.requireNonNull(log.getParent()));
        long logFrom = Files.exists(log) ? Files.size(log) : 0;
        ProcessBuilder builder = new ProcessBuilder(gated(configured.command(version)))
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        Map<String, String> environment = builder.environment();
        environment.keySet().retainAll(INHERITED);
        environment.putAll(configured.environment(version));
        Process process = builder.start();
        ProcessIdentity identity = ProcessIdentity.of(process.pid())
                .orElseThrow(() -> new IOException("it ended before it began"));
        return new Waiting(process, identity, logFrom);
    }

    private static List<String> gated(List<String> command) {
        if (!Files.isExecutable(SHELL)) {
            return command;
        }
        List<String> gated = new ArrayList<>(List.of(SHELL.toString(), "-c", GATE, "sluice"));
        gated.addAll(command);
        return gated;
    }

    Path log(LocalProcess configured) {
        String named = configured.log();
        return named == null ? logs.resolve(configured.name() + ".log") : base.resolve(named);
    }

    /** The last of what a process wrote, in a few lines. */
    String lastLines(LocalProcess configured, long from) {
        try (RandomAccessFile log = new RandomAccessFile(log(configured).toFile(), "r")) {
            long begin = Math.max(Math.min(from, log.length()), log.length() - TAIL_BYTES);
            byte[] tail = new byte[(int) (log.length() - begin)];
            log.seek(begin);
            log.readFully(tail);
            return lastLines(new String(tail, StandardCharsets.UTF_8).lines().toList());
        } catch (IOException unreadable) {
            return "(its log cannot be read)";
        }
    }

    private static String lastLines(List<String> lines) {
        Deque<String> last = new ArrayDeque<>();
        int characters = 0;
        for (int i = lines.size() - 1; i >= 0 && last.size() < TAIL_LINES; i--) {
            String line = Problem.escaped(lines.get(i).replace("\t", "    ").stripTrailing());
            characters += line.length();
            if (characters > TAIL_CHARACTERS && !last.isEmpty()) {
                break;
            }
            last.addFirst(line.substring(0, Math.min(TAIL_CHARACTERS, line.length())));
        }
        return last.isEmpty() ? "(it wrote nothing)" : String.join("\n", last);
    }
}
