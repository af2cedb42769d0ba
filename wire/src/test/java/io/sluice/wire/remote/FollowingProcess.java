package io.sluice.wire.remote;

import io.sluice.core.identity.Identity;
import io.sluice.core.identity.RequestView;
import io.sluice.core.observation.ServedRequests;
import io.sluice.core.rule.RuleSet;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A process that follows a server, keeps the last good rules and tells what it applied; one that can be killed. */
final class FollowingProcess implements AutoCloseable {
    static final int CUSTOMERS = 10_000;

    private final Process process;
    private final BufferedReader out;

    private FollowingProcess(Process process) {
        this.process = process;
        this.out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Decided by which rules, how far they can be trusted, how long the start took, and who was on canary. */
    record Ready(long revision, String state, Duration took, String lanes) {}

    static FollowingProcess start(URI server, Path lastGood) throws IOException {
        return run(List.of(), FollowingProcess.class, server.toString(), lastGood.toString());
    }

    /** Any main class of these tests, behind a tool that runs it. */
    static FollowingProcess run(List<String> tool, Class<?> main, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(tool);
        command.addAll(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        return new FollowingProcess(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start());
    }

    Ready ready() throws IOException {
        String[] words = line().split(" ");
        return new Ready(Long.parseLong(words[0]), words[1], Duration.ofMillis(Long.parseLong(words[2])), words[3]);
    }

    String line() throws IOException {
        String line = out.readLine();
        if (line == null) {
            throw new IllegalStateException("the process ended before it said anything");
        }
        return line;
    }

    /** Ends the process as {@code kill -9} does. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        try {
            kill();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    /** One letter for each of the customers: c for canary. */
    static String lanes(RuleSet rules) {
        StringBuilder lanes = new StringBuilder(CUSTOMERS);
        for (int i = 0; i < CUSTOMERS; i++) {
            Identity who = Identity.ofCustomer("c-" + i);
            boolean isCanary =
                    !rules.dye(RequestView.empty(), who).assignments().isEmpty();
            lanes.append(isCanary ? 'c' : 's');
        }
        return lanes.toString();
    }

    public static void main(String[] arguments) {
        URI server = URI.create(arguments[0]);
        long began = System.nanoTime();
        RemoteRuleSource rules = RemoteRuleSource.builder(server)
                .lastGood(Path.of(arguments[1]), "order")
                .startWithin(Duration.ofSeconds(60)) // Long enough to see that nobody waits for a server that is gone.
                .retryAfter(Duration.ofMillis(20))
                .start();
        long took = Duration.ofNanos(System.nanoTime() - began).toMillis();
        RuleSet first = rules.current();
        System.out.println(first.revision() + " " + rules.state() + " " + took + " " + lanes(first));
        WorkloadReporter.builder(server, rules, new ServedRequests(), "order", "order@here")
                .start();
        try {
            // Until it is killed, or who started it is gone.
            while (System.in.read() >= 0) {}
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }
}
