package io.sluice.cli.demo.migration;

import io.sluice.cli.demo.Figure;
import io.sluice.cli.demo.Installation;
import io.sluice.cli.demo.Progress;
import io.sluice.cli.demo.migration.Reply.Kind;
import io.sluice.cli.demo.migration.Sale.Known;
import io.sluice.cli.demo.process.Fleet;
import io.sluice.cli.demo.process.ProcessFailedException;
import io.sluice.cli.demo.process.Program;
import io.sluice.cli.terminal.Exit;
import io.sluice.core.decision.KeyBucket;
import io.sluice.core.problem.RefusedException;
import java.io.IOException;
import java.net.URI;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * The story of a migration from the first process to the report: stock moves from the old ledger to the new one, a few percent at
 * a time, while customers buy at two processes of which one hears late of each change; one is killed while it moves SKUs, and the
 * new side is out of reach for some seconds. Used once, by one thread.
 */
public final class MigrationDemo {
    private static final Duration START_LIMIT = Duration.ofMinutes(2);
    private static final Duration STEP_LIMIT = Duration.ofMinutes(3);
    private static final Duration LOOK_EVERY = Duration.ofMillis(500);
    private static final Duration SAY_EVERY = Duration.ofSeconds(3);
    private static final Duration AWAY = Duration.ofSeconds(4);
    private static final Duration OUTAGE = Duration.ofSeconds(4);
    private static final int WIDTH = 20;

    private final MigrationSettings settings;
    private final MigrationLineup lineup;
    private final Fleet fleet;
    private final Progress progress;
    private final MigrationPlane server;
    private final InventoryClient client;
    private final Ledgers ledgers;
    private final MoveWatch watch;
    private final Sales sales = new Sales();
    private Duration saidAt = Duration.ZERO;
    private String kill = "";
    private boolean hasKilled;
    private long killedNanos;
    private long movedBeforeKill;

    /** @param executor runs what follows an answer to a customer */
    public MigrationDemo(
            MigrationSettings settings,
            Installation installation,
            String token,
            Fleet fleet,
            Progress progress,
            Executor executor) {
        this.settings = settings;
        this.lineup = new MigrationLineup(installation, settings, token);
        this.fleet = fleet;
        this.progress = progress;
        this.server = new MigrationPlane(lineup.serverAddress(), token);
        this.client = new InventoryClient(executor);
        this.ledgers = new Ledgers(settings.database().connect(lineup.databasePort()));
        this.watch = new MoveWatch(ledgers, client, lineup.routers());
    }

    /** Runs it, and gives the exit code: whether every unit of stock was sold once at most, and is accounted for. */
    public int run() throws IOException, InterruptedException {
        try {
            return migrate();
        } catch (SQLException away) {
            throw new ProcessFailedException("the database could not be read (" + away.getMessage()
                    + "); see the logs in " + settings.directory());
        }
    }

    private int migrate() throws IOException, InterruptedException, SQLException {
        startPrograms();
        int code;
        try (Customers customers = customers()) {
            customers.start(settings.requestsPerSecond());
            progress.tell("%d requests a second; %s SKUs with %d units each are at legacy"
                    .formatted(
                            settings.requestsPerSecond(),
                            Figure.count(settings.skus()),
                            MigrationSettings.STOCK_OF_EACH));
            pause(settings.hold());
            for (int percent : MigrationSettings.PERCENTS) {
                progress.tell("new gets " + percent + "%");
                boolean isTroubled = percent == MigrationSettings.TROUBLED_PERCENT;
                await(server.percent(percent), percent, isTroubled);
                if (isTroubled) {
                    cutOff(percent);
                }
            }
            customers.close();
            code = tell(customers);
        }
        if (!settings.once()) {
            serve();
        }
        return code;
    }

    private void startPrograms() throws IOException, InterruptedException, SQLException {
        boolean isOwn = settings.database().isOwn();
        if (isOwn) {
            requireWithoutTables();
        }
        progress.tell("starting; logs in " + settings.directory());
        start(isOwn ? List.of(lineup.server()) : List.of(lineup.database(), lineup.server()));
        progress.tell("console: " + lineup.console());
        server.create(settings.pace());
        start(List.of(lineup.router(MigrationLineup.QUICK, true)));
        start(List.of(lineup.router(MigrationLineup.LATE, false)));
    }

    private void requireWithoutTables() throws SQLException {
        String tables = ledgers.tables();
        if (!tables.isEmpty()) {
            throw new RefusedException(
                    "--db",
                    "with tables of an earlier run (" + tables + ")",
                    "must be without them: DROP SCHEMA IF EXISTS sluice, inventory CASCADE;"
                            + " DROP TABLE IF EXISTS legacy_inventory, legacy_reservation");
        }
    }

    private void start(List<Program> programs) throws IOException, InterruptedException {
        fleet.start(
                programs,
                START_LIMIT,
                (program, took) -> progress.tell("%-10s ready on port %d after %s"
                        .formatted(program.name(), program.port(), Progress.seconds(took))));
    }

    private Customers customers() {
        return new Customers(client, lineup.routers(), settings.skus(), sales);
    }

    /** Waits until every key is where this plan wants it, every router knows the plan, and it has held for its time. */
    private void await(long revision, int percent, boolean kills)
            throws IOException, InterruptedException, SQLException {
        long wanted = wanted(percent);
        long before = watch.look().newer();
        long begin = System.nanoTime();
        saidAt = Duration.ZERO;
        while (true) {
            fleet.requireAlive();
            Ledgers.Owned now = watch.look();
            say(percent, revision, now);
            if (kills) {
                sabotage(now.newer() - before, wanted - before);
            }
            boolean isThere = now.newer() == wanted && now.frozen() == 0 && watch.allKnow(revision);
            boolean hasHeld = System.nanoTime() - begin > settings.hold().toNanos();
            if (isThere && hasHeld && (!kills || !kill.isEmpty())) {
                return;
            }
            if (System.nanoTime() - begin > STEP_LIMIT.toNanos()) {
                throw new ProcessFailedException(
                        "%s of %s SKUs were at new after %ds, %d in the middle of a move; see the logs in %s"
                                .formatted(
                                        now.newer(),
                                        wanted,
                                        STEP_LIMIT.toSeconds(),
                                        now.frozen(),
                                        settings.directory()));
            }
            pause(LOOK_EVERY);
        }
    }

    /** Kills a router, which moves keys too, as soon as a part is moved, and starts it again some seconds later. */
    private void sabotage(long moved, long all) throws IOException, InterruptedException {
        if (!hasKilled && moved * 4 >= all) {
            fleet.kill(MigrationLineup.QUICK);
            hasKilled = true;
            killedNanos = System.nanoTime();
            movedBeforeKill = moved;
            progress.tell("%s was killed, with %d of %d SKUs moved".formatted(MigrationLineup.QUICK, moved, all));
        } else if (hasKilled && kill.isEmpty() && System.nanoTime() - killedNanos > AWAY.toNanos()) {
            start(List.of(lineup.router(MigrationLineup.QUICK, false)));
            Duration away = Duration.ofNanos(System.nanoTime() - killedNanos);
            kill = MigrationReport.kill(MigrationLineup.QUICK, movedBeforeKill, all, away);
        }
    }

    /** For some seconds writes of the new side fall back, with their keys; then these are tried again. */
    private void cutOff(int percent) throws IOException, InterruptedException, SQLException {
        long before = watch.look().newer();
        progress.tell("the new inventory is out of reach for " + Progress.seconds(OUTAGE));
        for (URI router : lineup.routers()) {
            Reply reply = client.send("POST", router, router, "/outage?millis=" + OUTAGE.toMillis())
                    .join();
            if (reply.kind() != Kind.DONE) {
                throw new ProcessFailedException(router + " did not take the outage: " + reply.text());
            }
        }
        long end = System.nanoTime() + OUTAGE.plusSeconds(1).toNanos();
        while (System.nanoTime() - end < 0) {
            fleet.requireAlive();
            watch.look();
            pause(LOOK_EVERY);
        }
        long back = before - watch.look().newer();
        progress.tell("it is back; %d SKUs were handed back to legacy, and are tried again".formatted(back));
        await(server.retry(), percent, false);
    }

    private long wanted(int percent) {
        return IntStream.range(0, settings.skus())
                .mapToObj(i -> String.format(Locale.ROOT, Customers.SKUS, i))
                .filter(sku -> KeyBucket.of(sku) < percent)
                .count();
    }

    private void say(int percent, long revision, Ledgers.Owned now) throws IOException {
        if (!saidAt.isZero() && progress.sinceStart().minus(saidAt).compareTo(SAY_EVERY) < 0) {
            return;
        }
        saidAt = progress.sinceStart();
        int full = Math.toIntExact((now.newer() * WIDTH + settings.skus() - 1) / settings.skus());
        progress.tell("[%s%s] %3d%%  new %s of %s, moving %d   plan %d, known as %s   put right %s   fell back %s"
                .formatted(
                        "#".repeat(full),
                        ".".repeat(WIDTH - full),
                        percent,
                        Figure.count(now.newer()),
                        Figure.count(settings.skus()),
                        now.frozen(),
                        revision,
                        watch.revisions(),
                        Figure.count(watch.routers().refusals()),
                        Figure.count(watch.routers().fallbacks())));
    }

    private int tell(Customers customers) throws IOException, InterruptedException, SQLException {
        long settled = settle();
        watch.look();
        Audit audit =
                Audit.of(sales.all(), ledgers.reservations(), ledgers.available(), MigrationSettings.STOCK_OF_EACH);
        MigrationReport report = new MigrationReport(
                settings.skus(),
                settings.stocked(),
                watch,
                kill,
                customers.figures(),
                settled,
                audit,
                ledgers.reconcile(),
                server.unmet());
        progress.write(report.text());
        progress.write("");
        progress.write("logs: " + settings.directory());
        if (report.faults().isEmpty()) {
            return Exit.OK;
        }
        progress.write("NOT as promised: " + String.join(", and ", report.faults()));
        return Exit.BREACH;
    }

    /** Asks what became of every operation whose outcome is unknown: what has not happened by then never will. */
    private long settle() throws InterruptedException {
        long asked = 0;
        long end = System.nanoTime() + START_LIMIT.toNanos();
        List<URI> routers = lineup.routers();
        while (!sales.unknown().isEmpty() && System.nanoTime() - end < 0) {
            for (Sale sale : sales.unknown()) {
                boolean isOfReserve = sale.reserved() == Known.UNKNOWN;
                String id = isOfReserve ? sale.id() : sale.releaseId();
                Reply reply = client.send(
                                "POST", routers.get(0), routers.get(1), "/outcome?sku=" + sale.sku() + "&id=" + id)
                        .join();
                if (reply.kind() != Kind.DONE) {
                    pause(LOOK_EVERY);
                    continue;
                }
                asked++;
                Known known = reply.text().equals("HAPPENED") ? Known.DONE : Known.NOTHING;
                if (isOfReserve) {
                    sales.reserved(sale, known);
                } else {
                    sales.released(sale, known);
                }
            }
        }
        return asked;
    }

    private void serve() throws IOException, InterruptedException {
        progress.write("");
        progress.write("the shop goes on; look at " + lineup.console() + " and end it with Ctrl-C");
        progress.write(
                "both ledgers: sluice migration reconcile --db %s --user %s --migration %s --legacy \"%s\" --new \"%s\""
                        .formatted(
                                settings.database().urlOr(lineup.databasePort()),
                                settings.database().user(),
                                MigrationPlane.MIGRATION,
                                Ledgers.LEGACY,
                                Ledgers.NEW));
        try (Customers customers = customers()) {
            customers.start(settings.requestsPerSecond());
            while (true) {
                fleet.requireAlive();
                pause(LOOK_EVERY);
            }
        }
    }

    private static void pause(Duration time) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(time.toNanos());
    }
}
