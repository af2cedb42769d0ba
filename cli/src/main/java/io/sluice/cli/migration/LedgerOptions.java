package io.sluice.cli.migration;

import io.sluice.cli.terminal.Document;
import io.sluice.cli.terminal.OptionValues;
import io.sluice.cli.terminal.Terminal;
import io.sluice.core.problem.RefusedException;
import io.sluice.migration.ledger.JdbcLedgers;
import io.sluice.migration.ledger.Reconciliation;
import io.sluice.wire.DurationText;
import io.sluice.wire.Fields;
import io.sluice.wire.JsonText;
import io.sluice.wire.Read;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.ds.PGSimpleDataSource;
import picocli.CommandLine.Option;

/** Where both ledgers are and how they are read: options, and a file for what is not given as one. */
final class LedgerOptions {
    private static final String NAME = "db";
    private static final String DB_ALLOWED =
            "must be like jdbc:postgresql://host:5432/database, with no password in it:"
                    + " that is taken from SLUICE_DB_PASSWORD";
    /** This driver takes no user before the host, so whatever stands before an @ there is meant for one, or its password. */
    private static final Pattern PASSWORD = Pattern.compile("(?i)password=|^[^?]*@");

    private static final int CONNECT_SECONDS = 10;
    private static final int ANSWER_SECONDS = 600;

    @Option(
            names = "--db",
            paramLabel = "URL",
            description = "The database that holds both ledgers, like jdbc:postgresql://host:5432/shop.")
    private @Nullable String db;

    @Option(
            names = "--user",
            paramLabel = "NAME",
            description = "Who reads; may only need SELECT. The password is taken from SLUICE_DB_PASSWORD.")
    private @Nullable String user;

    @Option(names = "--migration", paramLabel = "NAME", description = "Whose owner rows decide.")
    private @Nullable String migration;

    @Option(
            names = "--legacy",
            paramLabel = "SQL",
            description = "The old ledger: the key, then its amounts, like"
                    + " 'SELECT sku, available, reserved FROM legacy_inventory'.")
    private @Nullable String legacy;

    @Option(names = "--new", paramLabel = "SQL", description = "The new ledger, with the same names of amounts.")
    private @Nullable String newer;

    @Option(
            names = "--frozen-for",
            paramLabel = "DURATION",
            description = "From which age on a key that is being moved is a finding (10s).")
    private @Nullable String frozenFor;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "A JSON object with db, user, migration, legacy, new, frozenFor, for what is not an option;"
                    + " - for standard input.")
    private @Nullable String config;

    /** What was found wrong is noted in {@code options}; then the result is of no use. */
    Reconciliation reconciliation(OptionValues options) {
        Duration age = frozenFor == null
                ? Reconciliation.STANDS_STILL
                : options.read("--frozen-for", frozenFor, DurationText::parse, Reconciliation.STANDS_STILL);
        return new Reconciliation(age);
    }

    /** The name that the report is for. */
    String migration() {
        return migration == null ? "" : migration;
    }

    /** Takes from the file what is not an option. Comes before the others. */
    void readConfig(Terminal terminal) {
        if (config == null) {
            return;
        }
        Config file = Config.readStrict(Document.read("--config", config, terminal));
        db = db == null ? file.db() : db;
        user = user == null ? file.user() : user;
        migration = migration == null ? file.migration() : migration;
        legacy = legacy == null ? file.legacy() : legacy;
        newer = newer == null ? file.newer() : newer;
        frozenFor = frozenFor == null ? file.frozenFor() : frozenFor;
    }

    JdbcLedgers ledgers(OptionValues options, Terminal terminal) {
        PGSimpleDataSource standIn = new PGSimpleDataSource();
        PGSimpleDataSource source = options.read("--db", db, LedgerOptions::source, standIn);
        if (user != null) {
            source.setUser(user);
        }
        String password = terminal.environment("SLUICE_DB_PASSWORD");
        if (!password.isEmpty()) {
            source.setPassword(password);
        }
        options.require(migration != null, "--migration", "missing", "must be the name of a migration");
        options.require(legacy != null, "--legacy", "missing", "must be a query: the key, then its amounts");
        options.require(newer != null, "--new", "missing", "must be a query: the key, then its amounts");
        return options.build(
                () -> new JdbcLedgers(
                        source,
                        migration == null ? "x" : migration,
                        legacy == null ? "SELECT" : legacy,
                        newer == null ? "SELECT" : newer),
                new JdbcLedgers(standIn, "x", "SELECT", "SELECT"));
    }

    private static PGSimpleDataSource source(String url) {
        if (PASSWORD.matcher(url).find()) {
            // Not shown: it would end up in a log.
            throw new RefusedException(NAME, "a URL with a password", DB_ALLOWED);
        }
        if (!url.startsWith("jdbc:postgresql:") || Driver.parseURL(url, null) == null) {
            String shown = url.contains("@") ? "no such URL" : url;
            throw new RefusedException(NAME, url.isEmpty() ? "empty" : shown, DB_ALLOWED);
        }
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setConnectTimeout(CONNECT_SECONDS);
        source.setSocketTimeout(ANSWER_SECONDS);
        source.setApplicationName("sluice migration reconcile");
        source.setURL(url);
        return source;
    }

    /** The file. Null is what is not in it. */
    private record Config(
            @Nullable String db,
            @Nullable String user,
            @Nullable String migration,
            @Nullable String legacy,
            @Nullable String newer,
            @Nullable String frozenFor) {
        static Config readStrict(byte[] json) {
            return JsonText.readStrict(json, in -> {
                String db = optional(in, "db");
                String user = optional(in, "user");
                String migration = optional(in, "migration");
                String legacy = optional(in, "legacy");
                String newer = optional(in, "new");
                String frozenFor = optional(in, "frozenFor");
                return in.end(() -> new Config(
                        given(db), given(user), given(migration), given(legacy), given(newer), given(frozenFor)));
            });
        }

        /** Empty when it is not there, which none of them may be. */
        private static String optional(Fields in, String field) {
            Read<String> read = in.optional(field, "", name -> in.text(name));
            return read.or("");
        }

        private static @Nullable String given(String text) {
            return text.isEmpty() ? null : text;
        }
    }
}
