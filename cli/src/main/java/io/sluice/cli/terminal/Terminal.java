package io.sluice.cli.terminal;

import io.sluice.core.problem.Problem;
import io.sluice.core.problem.RefusedException;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * Where a command reads and writes, and its environment. Always UTF-8, whatever the locale says. Used by one thread.
 *
 * <p>Output is buffered: what a command prints is delivered by {@link #flush()} or when the buffer is full.
 */
public final class Terminal {
    private static final int BUFFER = 1 << 16;

    private final InputStream in;
    private final OutputStream out;
    private final PrintWriter results;
    private final PrintStream err;
    private final Map<String, String> environment;

    public Terminal(InputStream in, OutputStream out, OutputStream err, Map<String, String> environment) {
        this.in = in;
        this.out = new BufferedOutputStream(out, BUFFER);
        this.results = new PrintWriter(this.out, false, StandardCharsets.UTF_8);
        this.err = new PrintStream(err, true, StandardCharsets.UTF_8);
        this.environment = Map.copyOf(environment);
    }

    /** The terminal of this process. */
    public static Terminal ofProcess() {
        return new Terminal(
                // Buffered also because a file stream reads a pipe at once by its length, which a pipe has none of.
                new BufferedInputStream(new FileInputStream(FileDescriptor.in)),
                new StandardOutput(),
                new FileOutputStream(FileDescriptor.err),
                System.getenv());
    }

    public InputStream in() {
        return in;
    }

    /** A variable of the environment; empty when it is not set. */
    public String environment(String name) {
        return environment.getOrDefault(name, "");
    }

    /** Standard output as picocli and other writers of text want it. */
    public PrintWriter results() {
        return results;
    }

    /** Standard output as bytes; what is printed before and after stands before and after. */
    public OutputStream output() {
        return out;
    }

    /** Writes one line of result to standard output. */
    public void print(String line) throws IOException {
        out.write(line.getBytes(StandardCharsets.UTF_8));
        out.write('\n');
    }

    /** Writes one line for people to standard error; nothing in it can act on their terminal. */
    public void say(String line) {
        err.println(Problem.escaped(line));
    }

    /** Says every problem, one a line. */
    public void say(RefusedException refused) {
        refused.problems().forEach(problem -> say(problem.toString()));
    }

    /** Delivers what was printed. */
    public void flush() throws IOException {
        results.flush();
        out.flush();
    }
}
