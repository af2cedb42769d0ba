package io.sluice.bench.moves;

import io.sluice.demo.inventory.InventoryLedgers;
import io.sluice.demo.inventory.InventoryTables;
import io.sluice.demo.inventory.proof.Account;
import io.sluice.demo.inventory.proof.Answer;
import io.sluice.demo.inventory.proof.Asked;
import io.sluice.demo.inventory.proof.WriteLog;
import io.sluice.migration.ledger.JdbcLedgers;
import io.sluice.migration.ledger.Reconciliation;
import io.sluice.migration.ledger.Totals;
import io.sluice.migration.plan.Directive;
import io.sluice.migration.plan.JdbcDirectives;
import io.sluice.migration.plan.Pace;
import io.sluice.migration.plan.Plan;
import io.sluice.migration.plan.Side;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Moves a whole inventory from 1 to 100 % in 20 steps, under load: three routers in processes of their own, each with customers
 * and with a mover, on a PostgreSQL that keeps what it commits. One of them is killed, another one is suspended within a
 * transaction. Afterwards the logs of the database and the journals of the customers are held against the ledgers.
 *
 * <p>{@code --skus N}, {@code --customers N} for each router, {@code --pause MILLIS} of a customer, {@code --seed N} of who is hit
 * when, and of what customers do. {@code --check} ends with code 10 when a goal is missed.
 */
public final class MovesBench implements AutoCloseable {
    private static final int MISSED = 10;
    private static final int ROUTERS = 3;
    private static final int STEPS = 20;
    /** Beyond the 10 s for which the database lets a transaction idle. */
    private static final Duration SUSPENDED = Duration.ofSeconds(15);

    private static final Duration STEP_WITHIN = Duration.ofMinutes(5);
    private static final long LOOK_EVERY = TimeUnit.MILLISECONDS.toNanos(250);
    private static final int FASTEST = 100_000;

    /** The transactions of one router that have changed or locked something, and have nothing to do. */
    private static final String OPEN = " FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'"
            + " AND backend_xid IS NOT NULL AND application_name LIKE 'router-";

    /** Hits one router when so much of one step is done. */
    private record Fate(int router, int step, double at) {}

    private final int skus;
    private final int customers;
    private final long pause;
    private final long seed;
    private final Random random;
    private final Fate death;
    private final Fate sleep;
    private final long started = System.nanoTime();

    private final StockDatabase database;
    private final WriteLog writes;
    private final MoveLog moves;
    private final JdbcDirectives directives;
    private final Path directory;
    private final List<RouterProcess> routers = new ArrayList<>();
    private final List<RouterProcess> dead = new ArrayList<>();
    private final List<Path> journals = new ArrayList<>();

    private final List<String> stillOpen = new ArrayList<>();

    private long leftFrozen;
    private long caught;
    private boolean isAsleep;
    private boolean hasSlept;
    private long wakes;

    private MovesBench(List<String> options) throws Exception {
        skus = Integer.parseInt(option(options, "--skus", "100000"));
        customers = Integer.parseInt(option(options, "--customers", "2"));
        pause = Long.parseLong(option(options, "--pause", "5"));
        seed = Long.parseLong(option(options, "--seed", String.valueOf(System.currentTimeMillis())));
        random = new Random(seed);
        int killed = random.nextInt(ROUTERS);
        death = new Fate(killed, 2 + random.nextInt(8), random.nextDouble() * 0.9);
        sleep = new Fate(
                (killed + 1 + random.nextInt(ROUTERS - 1)) % ROUTERS,
                11 + random.nextInt(8),
                random.nextDouble() * 0.9);
        say("%d SKUs, %d routers with %d customers each, seed %d, load %.1f", skus, ROUTERS, customers, seed, load());
        database = new StockDatabase(skus);
        writes = WriteLog.begin(database.plain());
        moves = MoveLog.begin(database);
        directives = new JdbcDirectives(database.plain(), InventoryTables.MIGRATION);
        directives.put(new Directive(1, Plan.start(InventoryTables.MIGRATION), new Pace(FASTEST, false)));
        directory = Files.createTempDirectory("sluice-moves");
    }

    public static void main(String[] arguments) throws Exception {
        List<String> options = List.of(arguments);
        List<String> missed;
        try (MovesBench bench = new MovesBench(options)) {
            missed = bench.run();
        }
        missed.forEach(System.out::println);
        System.exit(options.contains("--check") && !missed.isEmpty() ? MISSED : 0);
    }

    private static String option(List<String> options, String name, String otherwise) {
        int at = options.indexOf(name);
        return at < 0 ? otherwise : options.get(at + 1);
    }

    private List<String> run() throws Exception {
        for (int i = 0; i < ROUTERS; i++) {
            routers.add(begin(i, 1));
        }
        for (RouterProcess each : routers) {
            each.awaitReady();
        }
        say("stocked, the routers are ready");
        long begun = System.nanoTime();
        for (int step = 0; step < STEPS && !isSurprised(); step++) {
            step(step, 1 + Math.round(99f * step / (STEPS - 1)));
        }
        // What was handed back waits for the next plan.
        while (at(Side.NEW) < skus && !isSurprised()) {
            step(STEPS, 100);
        }
        double seconds = (System.nanoTime() - begun) / 1e9;
        for (RouterProcess each : routers) {
            each.end();
        }
        say("%d SKUs have moved, now the proof", at(Side.NEW));
        List<String> missed = report(seconds);
        if (missed.isEmpty()) {
            deleteFiles();
        } else {
            say("journals and logs of the routers are in %s", directory);
        }
        return missed;
    }

    private void deleteFiles() throws IOException {
        List<Path> files;
        try (Stream<Path> found = Files.list(directory)) {
            files = found.toList();
        }
        for (Path file : files) {
            Files.delete(file);
        }
        Files.delete(directory);
    }

    private RouterProcess begin(int number, int life) throws IOException {
        String name = number + "." + life;
        Path journal = directory.resolve("journal-" + name);
        journals.add(journal);
        return RouterProcess.start(
                name,
                List.of(
                        String.valueOf(database.port()),
                        name,
                        String.valueOf(ROUTERS),
                        String.valueOf(skus),
                        journal.toString(),
                        String.valueOf(customers),
                        String.valueOf(pause),
                        String.valueOf(seed + number * 100L + life)),
                directory.resolve("log-" + name));
    }

    /** Changes the plan, and returns when every key is where it wants it, or was handed back. */
    private void step(int step, int percent) throws Exception {
        directives.refresh();
        Directive before = directives.directive().orElseThrow();
        Plan plan = before.plan().withPercent(percent);
        if (!directives.put(before.with(plan))) {
            throw new IllegalStateException("somebody else has changed the plan");
        }
        long wanted = IntStream.range(0, skus)
                .filter(i -> plan.wanted(String.format(StockDatabase.FORMAT, i)) == Side.NEW)
                .count();
        long first = at(Side.NEW);
        long begun = System.nanoTime();
        while (true) {
            long now = at(Side.NEW);
            double done = wanted == first ? 1 : (double) (now - first) / (wanted - first);
            meetFates(step, done);
            if (isSurprised() && !isAsleep) {
                say("a customer is surprised, so it ends here");
                return;
            }
            if (!isAsleep && now + handedBack(plan) >= wanted && frozen() == 0) {
                break;
            }
            if (System.nanoTime() - begun > STEP_WITHIN.toNanos()) {
                throw new IllegalStateException("step " + step + " does not end: " + now + " of " + wanted
                        + " keys are there, " + frozen() + " frozen, logs in " + directory);
            }
            LockSupport.parkNanos(LOOK_EVERY);
        }
        double seconds = (System.nanoTime() - begun) / 1e9;
        say(
                "%3d %%  %6d keys in %5.1f s, %5.0f/s, %d writes so far, load %.1f",
                percent, wanted - first, seconds, (wanted - first) / seconds, writtenSoFar(), load());
    }

    /** A customer whom something has surprised does nothing any more, so there is nothing more to measure. */
    private boolean isSurprised() {
        return routers.stream().anyMatch(each -> !each.surprises().isEmpty());
    }

    private void meetFates(int step, double done) throws Exception {
        if (dead.isEmpty() && step == death.step() && done >= death.at()) {
            RouterProcess victim = routers.get(death.router());
            victim.kill();
            leftFrozen = frozen();
            dead.add(victim);
            routers.set(death.router(), begin(death.router(), 2));
            say("router %s was killed; %d keys are frozen; it begins again", victim.name(), leftFrozen);
        }
        if (!hasSlept && step == sleep.step() && done >= sleep.at()) {
            hasSlept = true;
            isAsleep = true;
            suspendWithinTransaction(routers.get(sleep.router()));
            wakes = System.nanoTime() + SUSPENDED.toNanos();
        }
        if (isAsleep && System.nanoTime() > wakes) {
            RouterProcess sleeper = routers.get(sleep.router());
            say(
                    "router %s goes on after %d s; of its %d transactions %d are still open; %d keys are frozen",
                    sleeper.name(), SUSPENDED.toSeconds(), caught, open(sleeper), frozen());
            stillOpen.addAll(database.all(
                    "SELECT 'open after " + SUSPENDED.toSeconds() + " s: ' || query" + OPEN + sleeper.name() + "-%'",
                    row -> row.getString(1)));
            sleeper.goOn();
            isAsleep = false;
        }
    }

    /** Again and again, until it is caught with something changed and not yet committed. */
    private void suspendWithinTransaction(RouterProcess victim) throws Exception {
        for (int attempt = 0; attempt < 500; attempt++) {
            victim.suspend();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            caught = open(victim);
            if (caught > 0) {
                say(
                        "router %s is suspended within %d transactions; %d keys are frozen",
                        victim.name(), caught, frozen());
                return;
            }
            victim.goOn();
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(20_000)));
        }
        throw new IllegalStateException("router " + victim.name() + " is never within a transaction");
    }

    private long open(RouterProcess router) throws SQLException {
        return database.number("SELECT count(*)" + OPEN + router.name() + "-%'");
    }

    private long at(Side side) throws SQLException {
        return database.number(
                "SELECT count(*) FROM sluice.owner WHERE side = '" + side.label() + "' AND moving_to IS NULL");
    }

    private long frozen() throws SQLException {
        return database.number("SELECT count(*) FROM sluice.owner WHERE moving_to IS NOT NULL");
    }

    private long handedBack(Plan plan) throws SQLException {
        return database
                .all(
                        "SELECT epoch FROM sluice.owner WHERE side = 'legacy' AND moving_to IS NULL AND epoch > 0",
                        row -> row.getLong(1))
                .stream()
                .filter(epoch -> plan.isHandedBack(Side.LEGACY, epoch))
                .count();
    }

    private long writtenSoFar() {
        return routers.stream().mapToLong(RouterProcess::written).sum()
                + dead.stream().mapToLong(RouterProcess::written).sum();
    }

    private List<String> report(double seconds) throws Exception {
        Account account = new Account();
        Told told = new Told(account);
        for (Path journal : journals) {
            Journal.read(journal, told);
        }
        List<String> faults = new ArrayList<>();
        routers.forEach(each -> faults.addAll(each.surprises()));
        dead.forEach(each -> faults.addAll(each.surprises()));
        List<String> twoWriters = writes.faults();
        List<String> notConserved = writes.skusWithout(StockDatabase.STOCKED);
        long missing = (long) skus * StockDatabase.STOCKED - writes.total();
        List<String> operations = writes.faults(account);
        MoveLog.Seen seen = moves.seen();
        long written = writes.size();
        long begun = System.nanoTime();
        Totals totals = reconciled();
        double reconciling = (System.nanoTime() - begun) / 1e9;

        say("");
        row("SKUs moved", at(Side.NEW), "of " + skus);
        row("seconds, 1 to 100 % in " + STEPS + " steps", seconds, "");
        row("keys moved a second", skus / seconds, "");
        row("writes a second", written / seconds, written + " in all");
        row("a write, p50 / p99 / most ms", told.all, "");
        row("writes that met a frozen key", told.frozen.size(), "");
        row("  they waited, p50 / p99 / most ms", told.frozen, "");
        row("a key was frozen, p50 / p99 / most ms", "%.1f / %.1f / %.0f", seen.p50(), seen.p99(), seen.most());
        row("refused: is being moved", told.frozenRefusals, "");
        row("refused: the router was behind", told.behindRefusals, "");
        row("operations told to have happened", account.told(Answer.DONE), "");
        row("operations told: out of stock", account.told(Answer.OUT_OF_STOCK), "");
        row("operations told: not now, nothing happened", account.told(Answer.NOT_NOW), "");
        row("operations of which nobody was told", account.open(), "the killed router's");
        row("hand-overs", seen.handOvers(), "");
        row("moves given up", seen.givenUp(), "");
        row("keys finished by another one than began", seen.byOthers(), seen.byWriters() + " by writers");
        row("keys frozen more than once", seen.again(), "");
        row("keys frozen when one was killed", leftFrozen, "");
        row("transactions in which one was suspended", caught, "");
        row("reconciling, seconds", reconciling, totals.inBoth() + " keys in both ledgers");
        say("");
        row("faults of two writers", twoWriters.size(), "goal 0");
        row("SKUs whose stock was not conserved", notConserved.size(), "goal 0, " + missing + " units missing");
        row("operations not exactly once", operations.size(), "goal 0");
        row("findings of the reconciliation", totals.keysWithFindings(), "goal 0");
        row("transactions that outlived the suspension", stillOpen.size(), "goal 0");
        row("surprises", faults.size(), "goal 0");
        say("");
        faults.addAll(stillOpen);
        long left = skus - at(Side.NEW);
        if (left > 0) {
            faults.add(left + " SKUs have not moved");
        }
        faults.addAll(twoWriters);
        notConserved.stream().limit(20).forEach(each -> faults.add("stock not conserved: " + each));
        faults.addAll(operations);
        if (!totals.addsUp()) {
            faults.add("reconciliation: " + totals.findings());
        }
        return faults.stream().map(each -> "missed: " + each).toList();
    }

    private Totals reconciled() {
        return new JdbcLedgers(
                        database.plain(),
                        InventoryTables.MIGRATION,
                        InventoryLedgers.query(Side.LEGACY),
                        InventoryLedgers.query(Side.NEW))
                .reconcile(new Reconciliation(Reconciliation.STANDS_STILL), key -> {});
    }

    /** What was told, added up. */
    private static final class Told implements Journal.Reader {
        private final Account account;
        private final List<Long> all = new ArrayList<>();
        private final List<Long> frozen = new ArrayList<>();
        private long frozenRefusals;
        private long behindRefusals;

        Told(Account account) {
            this.account = account;
        }

        @Override
        public void asked(Asked operation) {
            account.asked(operation);
        }

        @Override
        public void told(Journal.Told told) {
            account.told(told.id(), told.answer());
            all.add(told.nanos());
            if (told.frozen() > 0) {
                frozen.add(told.frozenNanos());
            }
            frozenRefusals += told.frozen();
            behindRefusals += told.behind();
        }
    }

    private void row(String name, long value, String more) {
        say("%-46s %12d  %s", name, value, more);
    }

    private void row(String name, double value, String more) {
        say("%-46s %12.1f  %s", name, value, more);
    }

    private void row(String name, List<Long> nanos, String more) {
        List<Long> sorted = nanos.stream().sorted().toList();
        row(name, "%.1f / %.1f / %.0f" + more, quantile(sorted, 0.5), quantile(sorted, 0.99), quantile(sorted, 1));
    }

    private void row(String name, String format, double p50, double p99, double most) {
        say("%-46s %s", name, String.format(Locale.ROOT, format, p50, p99, most));
    }

    private static double quantile(List<Long> sorted, double share) {
        return sorted.isEmpty()
                ? 0
                : sorted.get((int) Math.min(sorted.size() - 1L, (long) (sorted.size() * share))) / 1e6;
    }

    private static double load() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }

    private void say(String format, Object... values) {
        System.out.printf(
                Locale.ROOT,
                "%6.1f  %s%n",
                (System.nanoTime() - started) / 1e9,
                String.format(Locale.ROOT, format, values));
    }

    @Override
    public void close() throws Exception {
        routers.forEach(RouterProcess::close);
        directives.close();
        database.close();
    }
}
