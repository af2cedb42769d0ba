package io.sluice.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.bench.Followers.Arrival;
import io.sluice.testing.Line;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * Whom an abort reaches, and whether the server tells the truth about it: a real server, 50 processes, ten of them behind
 * lines that fall silent before the abort and heal after it.
 *
 * <p>Half of the lines take new connections and let nothing through; the other half soon do not even answer who connects. What
 * was connected before stays silent after healing, as where a firewall has forgotten it.
 *
 * <p>{@code --check} ends with code 10 when a goal is missed. {@code --rounds N} says how many aborts of canaries there are
 * before the one of a channel; {@code --silence SECONDS} how long after an abort the lines heal; {@code --server JAR} is the
 * server's jar.
 */
final class ReachBench {
    private static final int MISSED = 10;
    private static final int PROCESSES = 50;
    private static final int BEHIND_LINES = 10;

    /** How many start together: a start keeps a processor busy for a second. */
    private static final int AT_ONCE = 5;

    private static final Duration CONNECTED_P99 = Duration.ofMillis(500);
    private static final Duration MOST = Duration.ofSeconds(2);

    /** When who is cut off must be named as unreached: ten seconds after a report that may be a beat after the cut. */
    private static final long NAMED_WITHIN = seconds(13);

    /** How long a process may be named after it has applied: until its report has come. */
    private static final long TOLD_WITHIN = seconds(3);

    private static final String RELEASES = "/api/v1/releases";
    private static final byte[] WHY = "{\"why\":\"measured\"}".getBytes(UTF_8);

    private final int rounds;
    private final Duration silence;
    private final ServerProcess server;
    private final List<FollowerProcess> processes = new ArrayList<>();
    private final List<Arrival> connected = new ArrayList<>();
    private final List<Arrival> healed = new ArrayList<>();
    private final Set<String> wrong = new TreeSet<>();
    private int looks;

    private ReachBench(List<String> options) throws IOException {
        this.rounds = Integer.parseInt(option(options, "--rounds", "5"));
        this.silence = Duration.ofSeconds(Integer.parseInt(option(options, "--silence", "25")));
        this.server = new ServerProcess(Path.of(option(options, "--server", "server/target/sluice-server.jar")));
    }

    static void main(String[] arguments) throws Exception {
        List<String> options = List.of(arguments);
        double loadBefore = load();
        ReachBench bench = new ReachBench(options);
        try {
            bench.measure();
        } finally {
            bench.close();
        }
        List<String> missed = bench.report(loadBefore);
        missed.forEach(System.out::println);
        System.exit(options.contains("--check") && !missed.isEmpty() ? MISSED : 0);
    }

    private void measure() throws IOException {
        startProcesses();
        server.post("/api/v1/channels", "{\"id\":\"trade\",\"services\":[\"order\"]}".getBytes(UTF_8));
        for (int i = 0; i < rounds; i++) {
            round("canary-" + i, canary("canary-" + i));
        }
        round("trade-1", BLUE_GREEN);
    }

    private void startProcesses() throws IOException {
        for (int i = 0; i < PROCESSES; i++) {
            Line line = i < BEHIND_LINES ? Line.to(server.address().getPort()) : null;
            String color = i % 2 == 0 ? "blue" : "green";
            processes.add(new FollowerProcess(server.address(), line, "order", "order@" + (100 + i), color));
            if (processes.size() % AT_ONCE == 0) {
                until(
                        "all processes report",
                        () -> workloads().path("workloads").size() == processes.size());
            }
        }
        // Who has reported for less than three seconds is not known for good.
        pause(seconds(5));
    }

    private void round(String id, byte[] release) {
        String path = RELEASES + "/" + id;
        server.post(RELEASES, release);
        server.post(path + "/start", WHY);
        until(id + " moves traffic", () -> movesTraffic(path));
        until("all have " + id, () -> names(server.get(path), "unapplied").isEmpty());
        List<FollowerProcess> cut =
                processes.stream().filter(FollowerProcess::isBehindALine).toList();
        for (int i = 0; i < cut.size(); i++) {
            if (i % 2 == 0) {
                cut.get(i).line().silence();
            } else {
                cut.get(i).line().vanish();
            }
        }
        long cutAt = FollowerMain.microsNow();
        pause(seconds(3));
        long given = FollowerMain.microsNow();
        server.post(path + "/abort", WHY);
        long answered = FollowerMain.microsNow();
        List<Look> seen = new ArrayList<>();
        look(path, answered, silence.toSeconds() * 1_000_000, seen);
        Abort abort = new Abort(newest(), cutAt);
        long healedAt = FollowerMain.microsNow();
        cut.forEach(each -> each.line().heal());
        look(path, healedAt, seconds(6), seen);
        until(
                "all have the abort of " + id,
                () -> names(server.get(path), "unapplied").isEmpty());
        connected.add(arrival(given, answered, abort, each -> !each.isBehindALine()));
        healed.add(arrival(healedAt, healedAt, abort, FollowerProcess::isBehindALine));
        seen.forEach(each -> judge(id, each, abort, healedAt));
    }

    /** Brings a release of a channel to where an abort changes something, saying yes where a human is asked. */
    private boolean movesTraffic(String path) {
        String phase = server.get(path).path("phase").asString();
        if (phase.equals("deploying") || phase.equals("verifying")) {
            server.post(path + "/promote", WHY);
        }
        return phase.equals("ramping") || phase.equals("admitting");
    }

    /** The rules that are published. */
    private Revision newest() {
        String[] published = workloads().path("published").asString().split("\\.", -1);
        return new Revision(Long.parseLong(published[0]), Long.parseLong(published[1]));
    }

    private void look(String path, long from, long span, List<Look> seen) {
        for (long at = 0; at <= span; at += seconds(1)) {
            pause(from + at - FollowerMain.microsNow());
            long before = FollowerMain.microsNow();
            JsonNode view = server.get(path);
            long after = FollowerMain.microsNow();
            seen.add(new Look(before, after, newest(), names(view, "unapplied"), names(view, "unreached")));
        }
    }

    /** What a look says against what the processes said themselves. */
    private void judge(String id, Look look, Abort abort, long healedAt) {
        looks++;
        for (FollowerProcess each : processes) {
            String name = each.instance();
            long applied = each.appliedAt(abort.rules.epoch, abort.rules.revision);
            if (!look.unapplied.contains(name) && applied > look.after) {
                wrong.add(id + ": " + name + " was not named, and had not applied the abort");
            }
            boolean isCut = each.isBehindALine() && look.before < healedAt;
            // A channel's release changes its rules once everybody has the abort, which names them anew for a moment.
            long newest = each.appliedAt(look.newest.epoch, look.newest.revision);
            if (look.unapplied.contains(name) && !isCut && newest < look.before - TOLD_WITHIN) {
                wrong.add(id + ": " + name + " was still named, and had applied the abort");
            }
            if (look.unreached.contains(name) && !isCut && look.before > healedAt + TOLD_WITHIN) {
                wrong.add(id + ": " + name + " was unreached after it had healed");
            }
            if (look.unreached.contains(name) && !each.isBehindALine()) {
                wrong.add(id + ": " + name + " was unreached without having been cut off");
            }
            if (isCut && look.before > abort.cutAt + NAMED_WITHIN && !look.unreached.contains(name)) {
                wrong.add(id + ": " + name + " was cut off, and was not unreached");
            }
        }
    }

    private Arrival arrival(long given, long from, Abort abort, Predicate<FollowerProcess> which) {
        return new Arrival(
                given * 1000,
                from * 1000,
                processes.stream()
                        .filter(which)
                        .mapToLong(each -> each.appliedAt(abort.rules.epoch, abort.rules.revision) * 1000)
                        .toArray());
    }

    private List<String> report(double loadBefore) {
        Timings near = Timings.of(connected);
        Timings far = Timings.of(healed);
        System.out.printf(
                Locale.ROOT,
                "%s %s, %d processes, %d of them cut off for %d s after the abort, load %.1f to %.1f%n%n%s%n%s%n%s%n%n",
                System.getProperty("java.vm.name"),
                System.getProperty("java.version"),
                PROCESSES,
                BEHIND_LINES,
                silence.toSeconds(),
                loadBefore,
                load(),
                Timings.HEADER,
                near.row("connected, from the answer", CONNECTED_P99),
                far.row("cut off, from healing", MOST));
        System.out.printf(
                Locale.ROOT,
                "%d looks at who is named, a second apart: %d kinds of wrong names%n",
                looks,
                wrong.size());
        List<String> missed = new ArrayList<>(wrong);
        if (near.p99().compareTo(CONNECTED_P99) > 0 || near.most().compareTo(MOST) > 0) {
            missed.add("missed: connected");
        }
        if (far.most().compareTo(MOST) > 0) {
            missed.add("missed: cut off");
        }
        return missed;
    }

    private void close() throws Exception {
        processes.forEach(FollowerProcess::close);
        server.close();
    }

    private JsonNode workloads() {
        return server.get("/api/v1/workloads");
    }

    private static Set<String> names(JsonNode view, String field) {
        return view.required(field).valueStream().map(JsonNode::asString).collect(Collectors.toSet());
    }

    private static void until(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("not within two minutes: " + what);
            }
            pause(100_000);
        }
    }

    private static void pause(long micros) {
        long end = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(micros);
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private static long seconds(long count) {
        return TimeUnit.SECONDS.toMicros(count);
    }

    private static byte[] canary(String id) {
        return """
                {"id":"%s","version":"v2","services":["service-%s"],
                 "plan":{"stages":[{"percent":10,"hold":"1h"},{"percent":100,"hold":"1h"}]},
                 "guard":{"minSamples":10,"maxErrorRate":0.02,"maxP99":"300ms"}}
                """.formatted(id, id).getBytes(UTF_8);
    }

    private static final byte[] BLUE_GREEN = """
            {"strategy":"blue-green","id":"trade-1","channel":"trade","version":"v2",
             "waits":{"grace":"0s","quiet":"1s","spread":"0s"},
             "plan":{"stages":[{"percent":10,"hold":"1h"},{"percent":100,"hold":"1h"}]},
             "guard":{"minSamples":10,"maxErrorRate":0.02,"maxP99":"300ms","baseline":"off"},
             "green":[{"percent":50,"hold":"1h"}],"why":"measured"}
            """.getBytes(UTF_8);

    private static String option(List<String> options, String name, String unlessSaid) {
        int at = options.indexOf(name);
        return at < 0 ? unlessSaid : options.get(at + 1);
    }

    private static double load() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }

    private record Revision(long epoch, long revision) {}

    /** In which rules it is: nothing else has changed. @param cutAt in microseconds of the wall clock */
    private record Abort(Revision rules, long cutAt) {}

    /** Who was named between two moments, and what was published a moment later. */
    private record Look(long before, long after, Revision newest, Set<String> unapplied, Set<String> unreached) {}
}
