package io.sluice.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The server in a process of its own, so that it can be killed. */
final class ChildServer implements AutoCloseable {
    static final String TOKEN = "a-token-for-tests-which-is-long-enough";
    private static final Pattern READY = Pattern.compile("Sluice server ready on (http://\\S+)");

    private final Process process;
    private final List<String> lines = new ArrayList<>();
    private final URI address;

    private ChildServer(Process process) throws IOException {
        this.process = process;
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            lines.add(line);
            Matcher ready = READY.matcher(line);
            if (ready.matches()) {
                this.address = URI.create(ready.group(1));
                return;
            }
        }
        throw new IllegalStateException("the server ended before it was ready: " + lines);
    }

    static ChildServer start(Path data, String... more) throws IOException {
        List<String> arguments =
                new ArrayList<>(List.of("--port", "0", "--data", data.toString(), "--look-every", "200ms"));
        arguments.addAll(List.of(more));
        return new ChildServer(command(arguments.toArray(String[]::new))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** A server on a database that it shares with others. */
    static ChildServer startOn(String database, Path data, String... more) throws IOException {
        return startOn(database, data, Map.of(), more);
    }

    /** A server on a database that it shares with others, in an environment with these, too. */
    static ChildServer startOn(String database, Path data, Map<String, String> environment, String... more)
            throws IOException {
        List<String> arguments = new ArrayList<>(
                List.of("--port", "0", "--db", database, "--data", data.toString(), "--look-every", "200ms"));
        arguments.addAll(List.of(more));
        ProcessBuilder command =
                command(arguments.toArray(String[]::new)).redirectError(ProcessBuilder.Redirect.INHERIT);
        command.environment().putAll(environment);
        return new ChildServer(command.start());
    }

    /** A server without a given token. */
    static ChildServer startFresh(Path data) throws IOException {
        ProcessBuilder command = command("--port", "0", "--data", data.toString());
        command.environment().remove("SLUICE_SETUP_TOKEN");
        return new ChildServer(command.start());
    }

    static ProcessBuilder command(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-cp",
                System.getProperty("java.class.path"),
                "io.sluice.server.Server"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("SLUICE_SETUP_TOKEN", TOKEN);
        return builder;
    }

    /** What it printed before it was ready, that line included. */
    List<String> lines() {
        return lines;
    }

    Api api() {
        return new Api(address, TOKEN);
    }

    /** Sends it a signal by its name, like {@code STOP}. */
    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid()))
                .start()
                .waitFor();
    }

    /** Ends the process as {@code kill -9} does. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() throws Exception {
        process.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
    }
}
