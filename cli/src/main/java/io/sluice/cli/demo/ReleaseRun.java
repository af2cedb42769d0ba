package io.sluice.cli.demo;

import io.sluice.cli.demo.load.Ledger;
import io.sluice.cli.demo.load.Load;
import io.sluice.cli.demo.load.RuleTimeline;
import io.sluice.cli.demo.load.ShopClient;
import io.sluice.cli.demo.process.Fleet;
import io.sluice.core.release.ReleaseSpec;
import io.sluice.core.rule.RuleSource;
import io.sluice.wire.remote.RemoteRuleSource;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The demo's release from its start to its end, under load. Used once, by one thread. */
final class ReleaseRun {
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
    private static final Duration AFTERMATH = Duration.ofSeconds(3);
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    // Rules are pushed; only a process that has just lost the server may learn one by its next re-read.
    private static final Duration RULE_SPREAD = Duration.ofSeconds(2);
    private static final Duration RULE_SPREAD_AFTER_LOSS = Duration.ofSeconds(12);

    private final DemoSettings settings;
    private final Lineup lineup;
    private final Fleet fleet;
    private final Progress progress;
    private final View view;
    private final ReleaseSpec spec;
    private final ControlPlane server;
    private final Saboteur saboteur;
    private final RuleTimeline timeline = new RuleTimeline();
    private final Ledger ledger;

    /** @param slowerThan an answer that takes longer is bad, for the account of what the customers saw */
    ReleaseRun(
            DemoSettings settings,
            Lineup lineup,
            Fleet fleet,
            Progress progress,
            View view,
            ReleaseSpec spec,
            Duration slowerThan) {
        this.settings = settings;
        this.lineup = lineup;
        this.fleet = fleet;
        this.progress = progress;
        this.view = view;
        this.spec = spec;
        this.server = new ControlPlane(lineup.serverAddress(), lineup.token(), spec.id());
        this.saboteur = new Saboteur(settings.kill(), fleet, lineup, server, progress);
        this.ledger = new Ledger(
                spec.version(),
                settings.kill() == Kill.SERVER ? RULE_SPREAD_AFTER_LOSS : RULE_SPREAD,
                slowerThan,
                timeline);
    }

    /** Starts the release and returns how it stands when it is over, or when nobody would wait any longer. */
    ReleaseState run(ShopClient client) throws IOException, InterruptedException {
        ReleaseState end;
        try (RuleSource rules = RemoteRuleSource.builder(lineup.serverAddress()).start();
                Load load = new Load(client, lineup.shopAddress(), lineup.visitors(spec.id()), ledger::add)) {
            rules.subscribe(set -> timeline.add(System.nanoTime(), set));
            load.start(settings.visitsPerSecond());
            server.start(spec);
            progress.tell("release %s of %s, version %s, has started"
                    .formatted(spec.id(), String.join(", ", spec.services()), spec.version()));
            end = watch();
            pause(AFTERMATH);
        }
        pause(ledger.grace());
        ledger.settle();
        // The last picture stays on the screen above the report, so it must say the same.
        view.show(moment(end));
        return end;
    }

    private ReleaseState watch() throws IOException, InterruptedException {
        int stages = spec.plan().stages().size();
        Duration limit = PATIENCE.plus(settings.hold().multipliedBy(stages));
        long end = System.nanoTime() + limit.toNanos();
        while (true) {
            fleet.requireAlive();
            ReleaseState release = ReleaseState.from(server.view());
            ledger.settle();
            view.show(moment(release));
            if (release.isOver() || System.nanoTime() - end > 0) {
                return release;
            }
            saboteur.act(release);
            pause(LOOK_EVERY);
        }
    }

    private Moment moment(ReleaseState release) {
        return new Moment(
                progress.sinceStart(),
                release,
                LaneTotal.listFrom(server.lanes()),
                ledger.figures(),
                fleet.size(),
                fleet.residentBytes(),
                lineup.console());
    }

    /** The report of a run that is over. */
    Report report() {
        return new Report(server.report(), ledger.figures(), timeline.abortOf(spec.id()));
    }

    private static void pause(Duration time) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(time.toNanos());
    }
}
