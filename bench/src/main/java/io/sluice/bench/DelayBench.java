package io.sluice.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.bench.Followers.Arrival;
import io.sluice.center.CenterRuleSource;
import io.sluice.center.ConfigCenter;
import io.sluice.center.etcd.EtcdCenter;
import io.sluice.core.decision.BucketHash;
import io.sluice.core.decision.Bucketing;
import io.sluice.core.decision.Percent;
import io.sluice.core.decision.Weighted;
import io.sluice.core.guard.ErrorRate;
import io.sluice.core.guard.Thresholds;
import io.sluice.core.release.Plan;
import io.sluice.core.release.ReleaseSpec;
import io.sluice.core.release.Stage;
import io.sluice.core.rule.ReleaseRule;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.rule.RuleSource;
import io.sluice.testing.EtcdProcess;
import io.sluice.wire.ReleaseSpecJson;
import io.sluice.wire.RuleEnvelope;
import io.sluice.wire.remote.RemoteRuleSource;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * How long it takes until a change of the rules has reached everybody: a real server or etcd in a process of its own, and
 * 100 sources in this one.
 *
 * <p>{@code stream}, {@code abort}, {@code etcd} and {@code swallowed} measure one of them only. {@code --check} ends with
 * code 10 when a goal is missed. {@code --sources N} and {@code --changes N} say how many; {@code --server JAR} is the
 * server's jar, and {@code --etcd http://host:port} an etcd that runs already.
 */
public final class DelayBench {
    private static final int MISSED = 10;
    private static final int MOST_CHANGES = 79;

    private static final Duration PUBLISHED = Duration.ofMillis(150);
    private static final Duration ABORTED = Duration.ofMillis(500);
    private static final Duration SWALLOWED = Duration.ofSeconds(12);

    private static final Duration WRITE_WITHIN = Duration.ofSeconds(5);
    private static final Duration START_WITHIN = Duration.ofSeconds(20);
    private static final String RELEASES = "/api/v1/releases";
    private static final byte[] WHY = "{\"why\":\"measured\"}".getBytes(UTF_8);

    private final List<String> options;
    private final int sources;
    private final List<String> missed = new ArrayList<>();

    private DelayBench(List<String> options) {
        this.options = options;
        this.sources = Integer.parseInt(option("--sources", "100"));
    }

    public static void main(String[] arguments) throws Exception {
        // A line for each change and source would be most of what is measured.
        Logger.getLogger("").setLevel(Level.SEVERE);
        List<String> options = List.of(arguments);
        DelayBench bench = new DelayBench(options);
        List<String> modes = List.of("stream", "abort", "etcd", "swallowed");
        List<String> asked = modes.stream().filter(options::contains).toList();
        System.out.printf(
                Locale.ROOT,
                "%s %s, %d sources, load before %.1f%n%n%s%n",
                System.getProperty("java.vm.name"),
                System.getProperty("java.version"),
                bench.sources,
                load(),
                Timings.HEADER);
        for (String mode : asked.isEmpty() ? modes : asked) {
            bench.measure(mode);
        }
        System.out.printf(Locale.ROOT, "%nload after %.1f%n", load());
        bench.missed.forEach(System.out::println);
        // What clients left running must not keep this one.
        System.exit(options.contains("--check") && !bench.missed.isEmpty() ? MISSED : 0);
    }

    private void measure(String mode) throws Exception {
        switch (mode) {
            case "stream" -> {
                Timings stream = stream();
                report("stream of the server", stream, stream.p99(), PUBLISHED);
            }
            case "abort" -> {
                Timings abort = abort();
                report("abort by the stream", abort, abort.p99(), ABORTED);
            }
            case "etcd" -> {
                Timings etcd = etcd(changes(50), 20, UnaryOperator.identity());
                report("etcd", etcd, etcd.p99(), PUBLISHED);
            }
            default -> {
                Timings stream = deafStream();
                report("stream, each event swallowed", stream, stream.most(), SWALLOWED);
                Timings etcd = etcd(changes(5), 0, Deaf::new);
                report("etcd, each event swallowed", etcd, etcd.most(), SWALLOWED);
            }
        }
    }

    private void report(String name, Timings timings, Duration worst, Duration goal) {
        System.out.println(timings.row(name, goal));
        if (worst.compareTo(goal) > 0) {
            missed.add("missed: " + name);
        }
    }

    /** A release is promoted again and again. */
    private Timings stream() throws Exception {
        try (ServerProcess server = server();
                Followers followers = new Followers(sources, () -> following(server.address()))) {
            return promoted(server, followers, changes(50), 20);
        }
    }

    /** The same behind a proxy that lets no event through. */
    private Timings deafStream() throws Exception {
        try (ServerProcess server = server();
                DeafFront front = new DeafFront(server.address(), sources);
                Followers followers = new Followers(sources, () -> following(front.address()))) {
            return promoted(server, followers, changes(5), 0);
        }
    }

    private static Timings promoted(ServerProcess server, Followers followers, int changes, int warmUp)
            throws InterruptedException {
        List<Stage> stages = new ArrayList<>();
        for (int percent = 1; percent <= warmUp + changes; percent++) {
            stages.add(stage(percent));
        }
        stages.add(stage(100));
        server.post(RELEASES, release("promoted", stages));
        List<Arrival> arrivals = new ArrayList<>();
        String command = "/start";
        for (int i = 0; i < stages.size() - 1; i++) {
            String path = RELEASES + "/promoted" + command;
            Arrival arrival = followers.await(isAt(stages.get(i).percent()), () -> server.post(path, WHY));
            if (i >= warmUp) {
                arrivals.add(arrival);
            }
            command = "/promote";
        }
        return Timings.of(arrivals);
    }

    /** One release after the other is started and aborted. What counts is when the last source says so. */
    private Timings abort() throws Exception {
        int warmUp = 5;
        try (ServerProcess server = server();
                Followers followers = new Followers(sources, () -> following(server.address()))) {
            List<Arrival> arrivals = new ArrayList<>();
            for (int i = 0; i < warmUp + changes(20); i++) {
                String id = "aborted-" + i;
                String path = RELEASES + "/" + id;
                server.post(RELEASES, release(id, List.of(stage(10), stage(100))));
                followers.await(has(id, rule -> !rule.isAborted()), () -> server.post(path + "/start", WHY));
                Arrival arrival =
                        followers.await(has(id, ReleaseRule::isAborted), () -> server.post(path + "/abort", WHY));
                if (i >= warmUp) {
                    arrivals.add(arrival);
                }
            }
            return Timings.of(arrivals);
        }
    }

    private Timings etcd(int changes, int warmUp, UnaryOperator<ConfigCenter> as) throws Exception {
        String given = option("--etcd", "");
        if (!given.isEmpty()) {
            return written(given + "/sluice/delay-bench", changes, warmUp, as);
        }
        try (EtcdProcess etcd = EtcdProcess.start()) {
            return written("http://127.0.0.1:" + etcd.port() + "/sluice/delay-bench", changes, warmUp, as);
        }
    }

    private Timings written(String address, int changes, int warmUp, UnaryOperator<ConfigCenter> as) throws Exception {
        // Newer than what an earlier run left there.
        long epoch = Instant.now().getEpochSecond();
        try (EtcdCenter writer = EtcdCenter.of(address)) {
            writer.write(RuleEnvelope.of(rules(epoch, 0)).write(), WRITE_WITHIN);
            try (Followers followers = new Followers(sources, () -> following(as.apply(EtcdCenter.of(address))))) {
                List<Arrival> arrivals = new ArrayList<>();
                for (int i = 1; i <= warmUp + changes; i++) {
                    RuleSet next = rules(epoch, i);
                    byte[] document = RuleEnvelope.of(next).write();
                    Arrival arrival = followers.await(next::equals, () -> writer.write(document, WRITE_WITHIN));
                    if (i > warmUp) {
                        arrivals.add(arrival);
                    }
                }
                return Timings.of(arrivals);
            }
        }
    }

    private ServerProcess server() throws Exception {
        return new ServerProcess(Path.of(option("--server", "server/target/sluice-server.jar")));
    }

    private static RuleSource following(URI server) {
        return RemoteRuleSource.builder(server).startWithin(START_WITHIN).start();
    }

    private static RuleSource following(ConfigCenter center) {
        return CenterRuleSource.builder(center).startWithin(START_WITHIN).start();
    }

    private static Stage stage(int percent) {
        return new Stage(Percent.of(percent), Duration.ofHours(1));
    }

    private static byte[] release(String id, List<Stage> stages) {
        Thresholds limits =
                new Thresholds(10, ErrorRate.parse("2%"), Duration.ofMillis(300), Thresholds.DEFAULT_SILENCE);
        return ReleaseSpecJson.write(new ReleaseSpec(
                id,
                "v2",
                List.of("service-" + id),
                Bucketing.of(BucketHash.FNV1A_MIXED, id),
                Set.of(),
                List.of(),
                new Plan(stages, limits)));
    }

    private static Predicate<RuleSet> isAt(Percent percent) {
        return has(
                "promoted",
                rule -> rule.split() instanceof Weighted weighted
                        && weighted.percent().equals(percent));
    }

    private static Predicate<RuleSet> has(String release, Predicate<ReleaseRule> what) {
        return rules -> rules.releases().stream().anyMatch(rule -> rule.id().equals(release) && what.test(rule));
    }

    private static RuleSet rules(long epoch, long revision) {
        return RuleSet.of(
                epoch,
                revision,
                List.of(new ReleaseRule(
                        "written",
                        "v2",
                        List.of("service"),
                        new Weighted(Bucketing.of(BucketHash.FNV1A_MIXED, "written"), Percent.of(10), Set.of()),
                        List.of(),
                        revision,
                        Duration.ofMillis(300))));
    }

    private int changes(int unlessSaid) {
        int changes = Integer.parseInt(option("--changes", String.valueOf(unlessSaid)));
        if (changes < 1 || changes > MOST_CHANGES) {
            throw new IllegalArgumentException(
                    "--changes was " + changes + ", but must be within 1.." + MOST_CHANGES + ", the stages of a plan");
        }
        return changes;
    }

    private String option(String name, String unlessSaid) {
        int at = options.indexOf(name);
        return at < 0 ? unlessSaid : options.get(at + 1);
    }

    private static double load() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }

    /** A centre whose pushes all get lost. */
    private record Deaf(ConfigCenter center) implements ConfigCenter {
        @Override
        public Optional<byte[]> read(Duration within) {
            return center.read(within);
        }

        @Override
        public Watch watch(Runnable mayHaveChanged) {
            return () -> {};
        }

        @Override
        public void write(byte[] document, Duration within) {
            center.write(document, within);
        }

        @Override
        public void close() {
            center.close();
        }
    }
}
