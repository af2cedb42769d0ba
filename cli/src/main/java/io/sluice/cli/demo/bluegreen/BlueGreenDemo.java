package io.sluice.cli.demo.bluegreen;

import io.sluice.cli.demo.Installation;
import io.sluice.cli.demo.Progress;
import io.sluice.cli.demo.WarmUp;
import io.sluice.cli.demo.load.Load;
import io.sluice.cli.demo.load.RuleTimeline;
import io.sluice.cli.demo.load.ShopClient;
import io.sluice.cli.demo.load.Visitors;
import io.sluice.cli.demo.process.Fleet;
import io.sluice.cli.demo.process.ProcessFailedException;
import io.sluice.cli.demo.process.Program;
import io.sluice.cli.release.ServerApi;
import io.sluice.cli.terminal.Exit;
import io.sluice.core.rule.RuleSource;
import io.sluice.core.tag.Assignment;
import io.sluice.core.tag.Color;
import io.sluice.wire.remote.RemoteRuleSource;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/**
 * The blue-green story from the first process to the report: two channels of one shop get a new version at the same time,
 * one side after the other, while customers come. Used once, by one thread.
 */
public final class BlueGreenDemo {
    private static final Duration START_LIMIT = Duration.ofMinutes(3);
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
    private static final Duration SAY_EVERY = Duration.ofSeconds(10);
    private static final Duration AFTERMATH = Duration.ofSeconds(3);

    // Longer than callers go on with an old list of instances.
    private static final Duration LISTS_LIVE = Duration.ofSeconds(3);

    private final BlueGreenSettings settings;
    private final ChannelLineup lineup;
    private final Fleet fleet;
    private final Progress progress;
    private final ShopClient client;
    private final ChannelPlane server;
    private final RuleTimeline timeline = new RuleTimeline();
    private final ChannelLedger ledger = new ChannelLedger(timeline);
    private final Map<String, ChannelState> states = new LinkedHashMap<>();
    private final Map<String, Duration> saidAt = new LinkedHashMap<>();

    public BlueGreenDemo(
            BlueGreenSettings settings,
            Installation installation,
            String token,
            Fleet fleet,
            Progress progress,
            ShopClient client) {
        this.settings = settings;
        this.lineup = new ChannelLineup(installation, settings.directory(), settings.ports(), settings.fault(), token);
        this.fleet = fleet;
        this.progress = progress;
        this.client = client;
        this.server = new ChannelPlane(lineup.serverAddress(), token);
    }

    /** Runs it, and gives the exit code: whether each release ended as it had to, with nothing lost and nothing mixed. */
    public int run() throws IOException, InterruptedException {
        Files.write(lineup.processesFile(), ServerApi.body(lineup.processes()));
        progress.tell("starting; logs in " + settings.directory());
        for (List<Program> wave : lineup.waves()) {
            fleet.start(wave, START_LIMIT, this::tellReady);
        }
        progress.tell("console: " + lineup.console());
        bringUpChannels();
        progress.tell("warming up");
        WarmUp warmUp = new WarmUp(client);
        lineup.warmUps().forEach(warmUp::warm);
        int code;
        try (RuleSource rules = RemoteRuleSource.builder(lineup.serverAddress()).start();
                Load load = load()) {
            rules.subscribe(set -> timeline.add(System.nanoTime(), set));
            load.start(settings.visitsPerSecond());
            progress.tell("%d requests a second".formatted(settings.visitsPerSecond()));
            release();
            pause(AFTERMATH);
        }
        pause(ledger.grace());
        ledger.settle();
        code = tell();
        if (!settings.once()) {
            serve();
        }
        return code;
    }

    private void tellReady(Program program, Duration took) throws IOException {
        progress.tell(
                "%-16s ready on port %d after %s".formatted(program.name(), program.port(), Progress.seconds(took)));
    }

    private void bringUpChannels() throws IOException, InterruptedException {
        int instances = 0;
        for (Map.Entry<String, List<String>> channel : ChannelLineup.CHANNELS.entrySet()) {
            server.createChannel(channel.getKey(), channel.getValue());
            for (String service : channel.getValue()) {
                for (Color color : Color.values()) {
                    server.bringUp(channel.getKey(), service, color, ChannelLineup.OLD);
                    instances++;
                }
            }
            progress.tell("channel %s: %s, blue and green in version %s"
                    .formatted(channel.getKey(), String.join(" and ", channel.getValue()), ChannelLineup.OLD));
        }
        awaitInstances(instances);
        pause(LISTS_LIVE);
    }

    private void awaitInstances(int expected) throws IOException, InterruptedException {
        long end = System.nanoTime() + START_LIMIT.toNanos();
        int shown = 0;
        while (true) {
            fleet.requireAlive();
            int there = 0;
            for (JsonNode workload : server.workloads().path("workloads")) {
                boolean isUp = workload.path("ready").asBoolean(false)
                        && workload.path("registered").asBoolean(false)
                        && workload.has("color");
                there += isUp ? 1 : 0;
            }
            if (there != shown) {
                progress.tell("%d of %d instances are ready".formatted(there, expected));
                shown = there;
            }
            if (there >= expected) {
                return;
            }
            if (System.nanoTime() - end > 0) {
                throw new ProcessFailedException("only %d of %d instances were ready after %ds; see the logs in %s"
                        .formatted(there, expected, START_LIMIT.toSeconds(), settings.directory()));
            }
            pause(LOOK_EVERY);
        }
    }

    /** Releases one channel, and the other one beside it as soon as blue of the first is admitted. */
    private void release() throws IOException, InterruptedException {
        List<String> waiting = new ArrayList<>(ChannelLineup.CHANNELS.keySet());
        start(waiting.remove(0));
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() - end < 0) {
            fleet.requireAlive();
            ledger.settle();
            for (String channel : List.copyOf(states.keySet())) {
                look(channel);
            }
            boolean isAdmitted =
                    states.values().stream().anyMatch(state -> state.phase().equals("admitting") || state.isOver());
            if (isAdmitted && !waiting.isEmpty()) {
                start(waiting.remove(0));
            }
            if (waiting.isEmpty() && states.values().stream().allMatch(ChannelState::isOver)) {
                return;
            }
            pause(LOOK_EVERY);
        }
    }

    private void start(String channel) throws IOException {
        String id = settings.release(channel);
        server.start(new ChannelReleaseDocument(id, channel, settings.hold(), lineup.check(channel)));
        progress.tell("release %s of channel %s, version %s, has started".formatted(id, channel, ChannelLineup.NEW));
        states.put(channel, server.state(id));
    }

    private void look(String channel) throws IOException {
        ChannelState before = states.get(channel);
        if (before == null || before.isOver()) {
            return;
        }
        ChannelState now = server.state(before.id());
        states.put(channel, now);
        Duration said = saidAt.getOrDefault(channel, Duration.ZERO);
        boolean isNews = !now.at().equals(before.at()) || !now.bluePercent().equals(before.bluePercent());
        if (isNews || progress.sinceStart().minus(said).compareTo(SAY_EVERY) > 0) {
            saidAt.put(channel, progress.sinceStart());
            progress.tell(ChannelLine.of(now, ledger.figures()));
        }
        if (now.phase().equals("returned") && !before.phase().equals("returned")) {
            progress.tell("%s is back on green, because %s; blue gets %s back"
                    .formatted(channel, now.why(), ChannelLineup.OLD));
            server.command(now.id(), "promote", "blue is to run the old version again");
        }
    }

    private int tell() throws IOException {
        ChannelReport report = new ChannelReport(List.copyOf(states.values()), ledger.figures());
        progress.write(report.text());
        progress.write("logs: " + settings.directory());
        boolean asPromised = states.entrySet().stream()
                .allMatch(entry -> entry.getValue().phase().equals(settings.promisedPhase(entry.getKey())));
        boolean allThere = states.size() == ChannelLineup.CHANNELS.size();
        if (allThere && asPromised && report.isClean(settings.fault().isEmpty())) {
            return Exit.OK;
        }
        progress.write("NOT as promised: " + String.join(" and ", report.faults(settings)));
        return Exit.BREACH;
    }

    private void serve() throws IOException, InterruptedException {
        progress.write("");
        progress.write("the shop goes on; look at " + lineup.console() + " and end it with Ctrl-C");
        try (Load load = load()) {
            load.start(settings.visitsPerSecond());
            while (true) {
                fleet.requireAlive();
                ledger.settle();
                pause(LOOK_EVERY);
            }
        }
    }

    private Load load() {
        return new Load(
                client, lineup.shopAddress(), new Visitors(new Assignment("nothing", ChannelLineup.NEW)), ledger::add);
    }

    private static void pause(Duration time) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(time.toNanos());
    }
}
