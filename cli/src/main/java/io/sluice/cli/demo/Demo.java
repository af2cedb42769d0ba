package io.sluice.cli.demo;

import io.sluice.cli.demo.load.Hop;
import io.sluice.cli.demo.load.Load;
import io.sluice.cli.demo.load.ShopClient;
import io.sluice.cli.demo.load.Visit;
import io.sluice.cli.demo.process.Fleet;
import io.sluice.cli.demo.process.Program;
import io.sluice.cli.terminal.Exit;
import io.sluice.core.identity.Identity;
import io.sluice.core.observation.LaneCounter;
import io.sluice.core.observation.Tally;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** One demo from its first process to its report. Used once, by one thread. */
final class Demo {
    private static final Duration START_LIMIT = Duration.ofMinutes(2);
    private static final Duration WINDOW = Duration.ofSeconds(2);
    private static final int WINDOWS = 5;
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

    private final DemoSettings settings;
    private final Lineup lineup;
    private final Fleet fleet;
    private final Progress progress;
    private final View view;
    private final ShopClient client;

    Demo(DemoSettings settings, Lineup lineup, Fleet fleet, Progress progress, View view, ShopClient client) {
        this.settings = settings;
        this.lineup = lineup;
        this.fleet = fleet;
        this.progress = progress;
        this.view = view;
        this.client = client;
    }

    /** Runs it, and gives the exit code: whether each release ended as it had to. */
    int run() throws IOException, InterruptedException {
        startPrograms();
        warmUp();
        Duration slowerThan = DemoSettings.slowerThan(measureStable());
        List<Duration> timesToNoCanary = new ArrayList<>();
        int code = Exit.OK;
        for (int round = 1; round <= settings.rounds(); round++) {
            ReleaseRun release = new ReleaseRun(
                    settings, lineup, fleet, progress, view, DemoRelease.of(settings, round, slowerThan), slowerThan);
            ReleaseState end = release.run(client);
            Report report = release.report();
            report.timeToNoCanary().ifPresent(timesToNoCanary::add);
            code = Math.max(code, tell(report, end));
        }
        if (settings.rounds() > 1 && !timesToNoCanary.isEmpty()) {
            progress.write(distribution(timesToNoCanary));
        }
        if (!settings.once()) {
            serve();
        }
        return code;
    }

    private static String distribution(List<Duration> times) {
        List<Duration> sorted = times.stream().sorted().toList();
        int last = sorted.size() - 1;
        return "\nfirst bad answer of the canary to no request on it, %d releases: least %s, median %s, P90 %s, most %s"
                .formatted(
                        sorted.size(),
                        Progress.seconds(sorted.get(0)),
                        Progress.seconds(sorted.get(last / 2)),
                        Progress.seconds(sorted.get((int) Math.ceil(0.9 * sorted.size()) - 1)),
                        Progress.seconds(sorted.get(last)));
    }

    private void startPrograms() throws IOException, InterruptedException {
        progress.tell("starting %d processes; logs in %s".formatted(Lineup.PORTS, settings.directory()));
        for (List<Program> wave : lineup.waves()) {
            fleet.start(wave, START_LIMIT, this::tellReady);
        }
        progress.tell("all are ready and hold " + Figure.megabytes(fleet.residentBytes()));
        progress.tell("console: " + lineup.console());
    }

    private void tellReady(Program program, Duration took) throws IOException {
        progress.tell(
                "%-14s ready on port %d after %s".formatted(program.name(), program.port(), Progress.seconds(took)));
    }

    private void warmUp() throws IOException {
        progress.tell("warming up");
        WarmUp warmUp = new WarmUp(client);
        lineup.warmUps().forEach(warmUp::warm);
    }

    /**
     * The P99 that the stable version needs under load, before anybody is on the new one: of several windows the second
     * slowest, since the first requests after a start say nothing.
     */
    private Duration measureStable() throws IOException, InterruptedException {
        LaneCounter answers = new LaneCounter(DemoSettings.MAX_P99.toNanos());
        List<Tally> windows = new ArrayList<>();
        try (Load load = load(answers)) {
            load.start(settings.visitsPerSecond());
            for (int i = 0; i < WINDOWS; i++) {
                pause(WINDOW);
                windows.add(answers.drain());
            }
        }
        windows.sort(Comparator.comparing(window -> window.quantile(99)));
        Tally usual = windows.get(WINDOWS - 2);
        progress.tell("%d requests a second; in %ds before the release: %s"
                .formatted(settings.visitsPerSecond(), WINDOW.toSeconds(), Figure.lane("stable", usual)));
        return usual.quantile(99);
    }

    private int tell(Report report, ReleaseState end) throws IOException {
        progress.write(report.text());
        progress.write("allowlisted customer %s is served by %s now".formatted(DemoRelease.ALLOWLISTED, served()));
        progress.write("memory of all processes: %s; logs: %s"
                .formatted(Figure.megabytes(fleet.residentBytes()), settings.directory()));
        if (end.phase().equals(settings.promisedPhase()) && report.isFreeOfWrongVersions()) {
            return Exit.OK;
        }
        progress.write("NOT as promised: the release had to be %s, without a wrong version"
                .formatted(settings.promisedPhase()));
        return Exit.BREACH;
    }

    /** What the customer on the allowlist gets, who was on the new version at every stage. */
    private String served() {
        Visit visit = new Visit(0, Identity.ofCustomer(DemoRelease.ALLOWLISTED), "");
        return client.order(lineup.shopAddress(), visit).join().trace().stream()
                .filter(hop -> Lineup.RELEASED.contains(hop.service()))
                .map(Hop::version)
                .distinct()
                .collect(Collectors.joining(" and "));
    }

    private void serve() throws IOException, InterruptedException {
        progress.write("");
        progress.write("the shop goes on; look at " + lineup.console() + " and end it with Ctrl-C");
        try (Load load = load(new LaneCounter(DemoSettings.MAX_P99.toNanos()))) {
            load.start(settings.visitsPerSecond());
            while (true) {
                fleet.requireAlive();
                pause(LOOK_EVERY);
            }
        }
    }

    private Load load(LaneCounter answers) {
        return new Load(
                client,
                lineup.shopAddress(),
                lineup.visitors(DemoRelease.id(settings, 1)),
                answer -> answers.record(answer.latencyNanos(), answer.isFailed()));
    }

    private static void pause(Duration time) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(time.toNanos());
    }
}
