package io.sluice.cli;

import io.sluice.cli.terminal.Terminal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** What came of one command line, run in this JVM. */
public record Ran(int code, String out, String err) {
    /** Runs a command line without input. */
    public static Ran sluice(String... args) {
        return Ran.with(Map.of(), new byte[0], args);
    }

    /** Runs a command line with this text on standard input. */
    public static Ran fed(String input, String... args) {
        return Ran.with(Map.of(), input.getBytes(StandardCharsets.UTF_8), args);
    }

    public static Ran with(Map<String, String> environment, byte[] input, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Sluice.run(new Terminal(new ByteArrayInputStream(input), out, err, environment), args);
        return new Ran(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /** An end with code 2, nothing on standard output, and these lines on standard error. */
    public static Ran refused(String... lines) {
        return new Ran(2, "", String.join("\n", lines) + "\n");
    }

    /** An end with code 0, these lines on standard output, and nothing on standard error. */
    public static Ran printed(String... lines) {
        return new Ran(0, String.join("\n", lines) + "\n", "");
    }
}
