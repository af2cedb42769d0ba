package io.sluice.server;

import io.sluice.core.observation.ObservationRecorder;
import io.sluice.core.observation.ServedRequests;
import io.sluice.core.observation.Vantage;
import io.sluice.core.rule.RuleSource;
import io.sluice.core.rule.RuleState;
import io.sluice.core.tag.Color;
import io.sluice.wire.remote.ObservationReporter;
import io.sluice.wire.remote.RemoteRuleSource;
import io.sluice.wire.remote.WorkloadReporter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A process that follows a server as every one with the SDK does, and answers how it sees it. */
final class FollowingProcess implements AutoCloseable {
    static final String INSTANCE = "order@following";

    private final Process process;
    private final BufferedReader out;
    private final PrintStream in;

    /**
     * How a process stands.
     *
     * @param wallClock what time it takes it to be
     * @param notFresh how often its rules were not FRESH, of all looks since they were for the first time
     * @param setBack how often a rule set came after a newer one
     * @param failed how many batches of observations were not taken
     */
    record Standing(
            Instant wallClock,
            RuleState state,
            String revision,
            long looks,
            long notFresh,
            long setBack,
            long failed) {}

    /** @param observations where it reports what it serves */
    FollowingProcess(URI server, URI observations, FakeClock clock) throws IOException {
        ProcessBuilder command = new ProcessBuilder(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-XX:-UsePerfData",
                "-cp",
                System.getProperty("java.class.path"),
                FollowingProcess.class.getName(),
                server.toString(),
                observations.toString()));
        command.environment().putAll(clock.environment());
        this.process = command.redirectError(ProcessBuilder.Redirect.DISCARD).start();
        this.out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        this.in = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
    }

    Standing standing() {
        in.println();
        try {
            String[] words = String.valueOf(out.readLine()).split(" ");
            return new Standing(
                    Instant.parse(words[0]),
                    RuleState.valueOf(words[1]),
                    words[2],
                    Long.parseLong(words[3]),
                    Long.parseLong(words[4]),
                    Long.parseLong(words[5]),
                    Long.parseLong(words[6]));
        } catch (IOException gone) {
            throw new IllegalStateException("the process does not answer", gone);
        }
    }

    @Override
    public void close() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    public static void main(String[] arguments) throws IOException {
        URI server = URI.create(arguments[0]);
        AtomicLong looks = new AtomicLong();
        AtomicLong notFresh = new AtomicLong();
        AtomicLong setBack = new AtomicLong();
        AtomicLong newest = new AtomicLong();
        RemoteRuleSource rules = RemoteRuleSource.builder(server).build().start();
        RuleSource.Subscription subscription = rules.subscribe(set -> {
            long place = set.epoch() * 1_000_000 + set.revision();
            if (newest.getAndAccumulate(place, Math::max) > place) {
                setBack.incrementAndGet();
            }
        });
        ObservationRecorder recorder = new ObservationRecorder(new Vantage.Instance("order", "v1"), rules);
        ObservationReporter observations = ObservationReporter.builder(URI.create(arguments[1]), recorder, INSTANCE)
                .build()
                .start();
        WorkloadReporter workload = WorkloadReporter.builder(server, rules, new ServedRequests(), "order", INSTANCE)
                .color(Color.BLUE)
                .version("v1")
                .build()
                .start();
        ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor();
        watch.scheduleWithFixedDelay(
                () -> {
                    boolean isFresh = rules.state() == RuleState.FRESH;
                    if (isFresh || looks.get() > 0) {
                        looks.incrementAndGet();
                        notFresh.addAndGet(isFresh ? 0 : 1);
                    }
                },
                0,
                Duration.ofMillis(20).toNanos(),
                TimeUnit.NANOSECONDS);
        BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        while (questions.readLine() != null) {
            System.out.println(String.join(
                    " ",
                    Instant.now().toString(),
                    rules.state().name(),
                    rules.current().epoch() + "." + rules.current().revision(),
                    looks.toString(),
                    notFresh.toString(),
                    setBack.toString(),
                    String.valueOf(observations.failedAttempts())));
        }
        subscription.close();
        workload.close();
        observations.close();
        Runtime.getRuntime().halt(0);
    }
}
