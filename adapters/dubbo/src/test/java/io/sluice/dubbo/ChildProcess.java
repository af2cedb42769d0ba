package io.sluice.dubbo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A {@link Child} as its parent sees it. */
final class ChildProcess implements AutoCloseable {
    private final Process process;
    private final Writer orders;
    private final BufferedReader answers;

    private ChildProcess(Process process) {
        this.process = process;
        this.orders = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
        this.answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** One that starts; {@link #awaitReady()} is for later, so that several can start at a time. */
    static ChildProcess start(Path files, String rules, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx200m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                // Loopback is what Dubbo registers only when it finds nothing else.
                "-Ddubbo.network.interface.ignored=.*",
                // Dubbo and Nacos's client keep files of what they last knew there.
                "-Duser.home=" + files,
                "-cp",
                System.getProperty("java.class.path"),
                Child.class.getName()));
        command.addAll(List.of(arguments));
        ChildProcess child = new ChildProcess(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
        child.send("rules " + rules);
        return child;
    }

    void awaitReady() {
        if (!answer().equals("ready")) {
            throw new IllegalStateException("a child is not ready");
        }
    }

    /** Gives an order, and waits for its answer. */
    synchronized String order(String order) {
        send(order);
        return answer();
    }

    private void send(String line) {
        try {
            orders.write(line + "\n");
            orders.flush();
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    private String answer() {
        try {
            for (String line = answers.readLine(); line != null; line = answers.readLine()) {
                if (line.startsWith("@")) {
                    return line.substring(1);
                }
                System.out.println(line);
            }
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
        throw new IllegalStateException("a child has ended");
    }

    @Override
    public void close() throws InterruptedException {
        process.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
    }
}
