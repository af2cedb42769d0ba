package io.sluice.cli.demo;

import io.sluice.cli.demo.bluegreen.BlueGreenDemo;
import io.sluice.cli.demo.bluegreen.BlueGreenSettings;
import io.sluice.cli.demo.load.ShopClient;
import io.sluice.cli.demo.migration.DatabaseAccess;
import io.sluice.cli.demo.migration.MigrationDemo;
import io.sluice.cli.demo.migration.MigrationSettings;
import io.sluice.cli.demo.process.Fleet;
import io.sluice.cli.demo.process.Ports;
import io.sluice.cli.demo.process.ProcessFailedException;
import io.sluice.cli.terminal.Exit;
import io.sluice.cli.terminal.OptionValues;
import io.sluice.cli.terminal.Terminal;
import io.sluice.core.problem.RefusedException;
import io.sluice.wire.DurationText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sluice demo}: everything on one machine, and one release of a shop under load. */
@Command(
        name = "demo",
        description = {
            "Runs a control plane, a gateway and a shop with a stable and a new version, sends it customers, and",
            "releases the new version in five stages. A new version that is bad must be taken back.",
            "",
            "The fault and --kill canary strike the new version of the service order.",
            "",
            "--migration moves the stock of the shop under load instead, one router late, one killed on the way."
        },
        customSynopsis = "sluice demo [OPTIONS]",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:it went as it had to: released, or aborted with a fault; migrated, with nothing sold twice or lost",
            "2:wrong usage, or a process that did not start",
            "10:it went another way"
        })
public final class DemoCommand implements Callable<Integer> {
    private static final String WITHOUT_IT = "must be given without it";
    private static final String PORT_ALLOWED = "must be free; choose another start with --ports";
    // What happens to the rules is to be seen in the view; kept here, since a logger that nobody holds forgets its
    // level.
    private static final Logger WIRE = Logger.getLogger("io.sluice.wire");
    private static final int MOST_VISITS = 1_000;
    private static final int USUAL_RATE = 80;

    // While it serves, the same machine starts the new version's processes.
    private static final int LOW_RATE = 50;
    private static final int MOST_ROUNDS = 100;
    private static final int TOKEN_BYTES = 32;
    private static final Duration LONGEST_HOLD = Duration.ofHours(1);
    private static final Duration USUAL_HOLD = Duration.ofSeconds(15);
    private static final Duration SHORT_HOLD = Duration.ofSeconds(8);
    private static final Duration MIGRATION_HOLD = Duration.ofSeconds(5);
    private static final int MIGRATION_RATE = 150;
    private static final int LEAST_SKUS = 100;
    private static final int MOST_SKUS = 50_000;
    private static final DateTimeFormatter TIMESTAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

    private final Terminal terminal;

    @Option(names = "--once", description = "Ends after the report, instead of keeping the console until Ctrl-C.")
    private boolean once;

    @Option(
            names = "--blue-green",
            description = "Releases two channels of services instead, half of the fleet at a time.")
    private boolean blueGreen;

    @Option(
            names = "--migration",
            description = "Moves the stock of the shop from an old ledger to a new one instead, SKU by SKU.")
    private boolean migration;

    @Option(names = "--skus", paramLabel = "N", description = "How many SKUs --migration moves (2000).")
    private @Nullable String skus;

    @Option(
            names = "--db",
            paramLabel = "URL",
            description = "A PostgreSQL for --migration, like jdbc:postgresql://host:5432/demo; its own otherwise.")
    private @Nullable String db;

    @Option(
            names = "--user",
            paramLabel = "NAME",
            description = "Who owns tables there (postgres). The password is taken from SLUICE_DB_PASSWORD.")
    private @Nullable String user;

    @Option(names = "--fault", paramLabel = "FAULT", description = "errors=6%% or slow=500ms.")
    private String fault = "";

    @Option(names = "--kill", paramLabel = "WHAT", description = "canary or server: killed in the third stage.")
    private String kill = "";

    @Option(
            names = "--hold",
            paramLabel = "DURATION",
            description = "How long each stage is held (15s; 8s blue-green; 5s migration).")
    private String hold = "";

    @Option(names = "--rps", paramLabel = "N", description = "Requests a second (80; 50 blue-green; 150 migration).")
    private String visitsPerSecond = "";

    @Option(names = "--rounds", paramLabel = "N", description = "How many releases are made one after the other (1).")
    private String rounds = "1";

    @Option(names = "--ports", paramLabel = "N", description = "The first of ten ports in a row; free ones otherwise.")
    private @Nullable String firstPort;

    @Option(
            names = "--keep-logs",
            paramLabel = "DIR",
            description = "Where each run's logs and data go (.sluice/demo).")
    private String directory = ".sluice/demo";

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Prints this help.")
    @SuppressWarnings("UnusedVariable") // picocli asks for it by its annotation
    private boolean help;

    public DemoCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        DemoSettings settings = settings();
        MigrationSettings moved = migrationSettings(settings);
        WIRE.setLevel(Level.OFF);
        Installation installation = Installation.find();
        Files.createDirectories(settings.directory());
        try (Fleet fleet = new Fleet(installation.supervisor(), settings.directory())) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> endAll(fleet), "demo-end"));
            return run(settings, moved, installation, fleet);
        } catch (ProcessFailedException failure) {
            String.valueOf(failure.getMessage()).lines().forEach(terminal::say);
            return Exit.REFUSED;
        }
    }

    private int run(DemoSettings settings, MigrationSettings moved, Installation installation, Fleet fleet)
            throws IOException, InterruptedException {
        ExecutorService executor = Executors.newFixedThreadPool(2, DemoCommand::daemon);
        try {
            Progress progress = new Progress(terminal);
            if (migration) {
                return new MigrationDemo(moved, installation, newToken(), fleet, progress, executor).run();
            }
            ShopClient client = new ShopClient(executor);
            if (blueGreen) {
                return new BlueGreenDemo(channels(settings), installation, newToken(), fleet, progress, client).run();
            }
            Lineup lineup = new Lineup(installation, settings, newToken());
            return new Demo(settings, lineup, fleet, progress, view(progress), client).run();
        } finally {
            executor.shutdownNow();
        }
    }

    private static BlueGreenSettings channels(DemoSettings settings) {
        return new BlueGreenSettings(
                settings.startedAt(),
                settings.once(),
                settings.fault().text(),
                DurationText.format(settings.hold()),
                settings.visitsPerSecond(),
                settings.ports(),
                settings.directory());
    }

    @SuppressWarnings("SystemConsoleNull") // from JDK 22 on the launcher asks for the console that may be null
    private View view(Progress progress) {
        boolean redraws =
                System.console() != null && terminal.environment("NO_COLOR").isEmpty();
        return redraws ? new RedrawnView(progress) : new LineView(progress);
    }

    private void endAll(Fleet fleet) {
        if (fleet.end()) {
            terminal.say("all processes of the demo have ended");
        }
    }

    private DemoSettings settings() {
        OptionValues options = new OptionValues();
        String startedAt = LocalDateTime.now(ZoneId.systemDefault()).format(TIMESTAMP);
        DemoSettings settings = new DemoSettings(
                startedAt,
                options.read("--rounds", rounds, text -> wholeNumber(text, 1, MOST_ROUNDS), 1),
                once,
                options.read("--fault", fault, DemoFault::parse, DemoFault.none()),
                options.read("--kill", kill, Kill::parse, Kill.NOTHING),
                options.read("--hold", hold, this::holdOf, Duration.ZERO),
                options.read("--rps", visitsPerSecond, this::rate, 1),
                ports(options),
                Path.of(directory, startedAt).toAbsolutePath());
        options.require(
                settings.hold().compareTo(LONGEST_HOLD) <= 0,
                "--hold",
                hold,
                "must be at most " + DurationText.format(LONGEST_HOLD));
        options.require(
                settings.fault().isNone() || settings.kill() == Kill.NOTHING,
                "--kill",
                kill + " beside --fault",
                WITHOUT_IT);
        options.require(
                !blueGreen || settings.kill() == Kill.NOTHING, "--kill", kill + " beside --blue-green", WITHOUT_IT);
        options.require(!blueGreen || settings.rounds() == 1, "--rounds", rounds + " beside --blue-green", WITHOUT_IT);
        options.require(
                settings.rounds() == 1 || settings.kill() == Kill.NOTHING,
                "--rounds",
                rounds + " beside --kill",
                "must be 1 with it, since what was killed is missing in the next round");
        options.throwIfAny();
        return settings;
    }

    private MigrationSettings migrationSettings(DemoSettings settings) {
        OptionValues options = new OptionValues();
        options.require(migration || skus == null, "--skus", "" + skus, "must be given with --migration only");
        options.require(migration || db == null, "--db", "" + db, "must be given with --migration only");
        options.require(db != null || user == null, "--user", "" + user, "must be given with --db only");
        if (migration) {
            options.require(!blueGreen, "--blue-green", "beside --migration", WITHOUT_IT);
            options.require(settings.fault().isNone(), "--fault", fault + " beside --migration", WITHOUT_IT);
            options.require(settings.kill() == Kill.NOTHING, "--kill", kill + " beside --migration", WITHOUT_IT);
            options.require(settings.rounds() == 1, "--rounds", rounds + " beside --migration", WITHOUT_IT);
        }
        DatabaseAccess none = DatabaseAccess.of(null, null, "");
        MigrationSettings moved = new MigrationSettings(
                once,
                options.read(
                        "--skus", skus == null ? "2000" : skus, text -> wholeNumber(text, LEAST_SKUS, MOST_SKUS), 0),
                settings.hold(),
                settings.visitsPerSecond(),
                options.build(() -> DatabaseAccess.of(db, user, terminal.environment("SLUICE_DB_PASSWORD")), none),
                settings.ports(),
                settings.directory());
        options.throwIfAny();
        return moved;
    }

    private int rate(String text) {
        int usual = migration ? MIGRATION_RATE : blueGreen ? LOW_RATE : USUAL_RATE;
        return text.isEmpty() ? usual : wholeNumber(text, 1, MOST_VISITS);
    }

    private Duration holdOf(String text) {
        Duration usual = migration ? MIGRATION_HOLD : blueGreen ? SHORT_HOLD : USUAL_HOLD;
        return text.isEmpty() ? usual : DurationText.parse(text);
    }

    private Ports ports(OptionValues options) {
        if (firstPort == null) {
            return Ports.free(Lineup.PORTS);
        }
        int last = Ports.LARGEST - Lineup.PORTS + 1;
        int first = options.read("--ports", firstPort, text -> wholeNumber(text, 1, last), last);
        Ports ports = new Ports(first, Lineup.PORTS);
        ports.inUse().forEach(port -> options.require(false, "port " + port, "in use", PORT_ALLOWED));
        return ports;
    }

    private static int wholeNumber(String text, int least, int most) {
        boolean isShort = text.matches("[0-9]{1,9}");
        if (!isShort || Integer.parseInt(text) < least || Integer.parseInt(text) > most) {
            throw new RefusedException(
                    "number", text.isEmpty() ? "empty" : text, "must be within " + least + ".." + most);
        }
        return Integer.parseInt(text);
    }

    private static String newToken() {
        byte[] secret = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(secret);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "demo-client");
        thread.setDaemon(true);
        return thread;
    }
}
