package io.sluice.server;

import io.sluice.core.problem.Problems;
import io.sluice.core.problem.RefusedException;
import io.sluice.wire.DurationText;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the command line asks for.
 *
 * @param port 0 for any free one
 * @param database a JDBC address; null for the embedded database under {@code data}
 * @param allowedHosts names that it may be called by, besides localhost, addresses and {@code host}
 */
record ServerFlags(
        String host, int port, Path data, @Nullable String database, Duration lookEvery, List<String> allowedHosts) {
    static final String USAGE = """
            usage: sluice server [--port N] [--host ADDRESS] [--data DIR] [--db JDBC-URL] [--look-every DURATION]
                                 [--allowed-hosts NAME,NAME]
              --port N               where to listen, 0 for any free port (default 7070)
              --host ADDRESS         the address to listen on (default 127.0.0.1)
              --data DIR             where the embedded database lives (default ./.sluice/server)
              --db JDBC-URL          another database, like jdbc:postgresql://host/sluice
              --look-every DURATION  how often releases are looked at, 50ms..1m (default 1s)
              --allowed-hosts NAMES  names that browsers and processes call it by, besides localhost and addresses
            """;

    static final String SETUP_TOKEN = "SLUICE_SETUP_TOKEN";
    private static final Map<String, String> DEFAULTS = Map.of(
            "--port", "7070",
            "--host", "127.0.0.1",
            "--data", ".sluice/server",
            "--db", "",
            "--look-every", "1s",
            "--allowed-hosts", "");
    private static final Pattern TOKEN = Pattern.compile("[\\x21-\\x7e]{32,256}");
    private static final Pattern DATABASE = Pattern.compile("jdbc:(?:postgresql|h2):");
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9_.-]{1,253}");

    // A database reads what follows a semicolon as settings, and ${...} would be filled in on the way to it.
    private static final Pattern UNSAFE = Pattern.compile("[;\\p{Cntrl}]|\\$\\{");
    private static final Pattern PORT = Pattern.compile("[0-9]{1,5}");

    /** @throws RefusedException with everything that is wrong with the arguments and the environment */
    static ServerFlags parse(List<String> arguments, Map<String, String> environment) {
        Problems problems = new Problems();
        Map<String, String> given = given(arguments, problems);
        Integer port = problems.part("--port", () -> port(text(given, "--port")));
        Path data = problems.part("--data", () -> path(text(given, "--data")));
        Duration lookEvery = problems.part("", () -> lookEvery(text(given, "--look-every")));
        String database = text(given, "--db");
        problems.require(
                database.isEmpty() || DATABASE.matcher(database).lookingAt(),
                "--db",
                withoutSecrets(database),
                "must start with jdbc:postgresql: or jdbc:h2:");
        List<String> allowedHosts = Stream.of(text(given, "--allowed-hosts").split(",", -1))
                .filter(name -> !name.isEmpty())
                .toList();
        allowedHosts.forEach(name -> problems.require(
                HOST.matcher(name).matches(),
                "--allowed-hosts",
                name,
                "must be names without a port, parted by commas"));
        String token = environment.get(SETUP_TOKEN);
        problems.require(
                token == null || TOKEN.matcher(token).matches(),
                SETUP_TOKEN,
                token == null ? "" : token.length() + " characters",
                "must be 32..256 printable ASCII characters without a space");
        problems.throwIfAny();
        return new ServerFlags(
                text(given, "--host"),
                Objects.requireNonNull(port),
                Objects.requireNonNull(data),
                database.isEmpty() ? null : database,
                Objects.requireNonNull(lookEvery),
                allowedHosts);
    }

    private static Map<String, String> given(List<String> arguments, Problems problems) {
        Map<String, String> given = new LinkedHashMap<>();
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            int equals = argument.indexOf('=');
            String flag = equals < 0 ? argument : argument.substring(0, equals);
            if (!DEFAULTS.containsKey(flag)) {
                problems.add(
                        "argument " + (i + 1),
                        argument,
                        "must be one of --port, --host, --data, --db, --look-every, --allowed-hosts");
                continue;
            }
            boolean valueFollows = equals < 0 && i + 1 < arguments.size();
            String value = equals >= 0 ? argument.substring(equals + 1) : valueFollows ? arguments.get(++i) : "";
            problems.require(!value.isEmpty(), flag, "empty", "must have a value");
            problems.require(given.put(flag, value) == null, flag, "given twice", "must be given once");
        }
        return given;
    }

    private static String text(Map<String, String> given, String flag) {
        String value = given.getOrDefault(flag, "");
        return value.isEmpty() ? Objects.requireNonNull(DEFAULTS.get(flag)) : value;
    }

    private static Integer port(String text) {
        if (!PORT.matcher(text).matches() || Integer.parseInt(text) > 65_535) {
            throw new RefusedException("", text, "must be a number within 0..65535");
        }
        return Integer.valueOf(text);
    }

    private static Path path(String text) {
        try {
            Path path = Path.of(text).toAbsolutePath().normalize();
            if (!UNSAFE.matcher(path.toString()).find()) {
                return path;
            }
            throw new RefusedException(
                    "", path.toString(), "must be a directory's path without ;, ${ or control characters");
        } catch (InvalidPathException refused) {
            throw new RefusedException("", text, "must be a directory's path");
        }
    }

    private static Duration lookEvery(String text) {
        try {
            Duration every = DurationText.parse(text);
            if (every.toMillis() >= 50 && every.toMillis() <= 60_000) {
                return every;
            }
        } catch (RefusedException noDuration) {
            // Said below, with the bounds.
        }
        throw new RefusedException("--look-every", text, "must be a duration within 50ms..1m");
    }

    /** These flags as the settings that the parts of the server read. */
    Map<String, Object> settings() {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("server.address", host);
        settings.put("server.port", port);
        settings.put("spring.datasource.url", database == null ? embedded() : database);
        if (database == null) {
            settings.put("spring.datasource.username", "sluice");
            settings.put("spring.datasource.password", "");
            settings.put("sluice.existing-file", Files.exists(file()) ? file().toString() : "");
        }
        settings.put("sluice.look-every", lookEvery.toString());
        settings.put(
                "sluice.allowed-hosts",
                Stream.concat(Stream.of(host), allowedHosts.stream()).toList());
        return settings;
    }

    /** A JDBC address may carry a password among its parameters. */
    static String withoutSecrets(String database) {
        return database.split("[?;]", 2)[0];
    }

    /** Where the embedded database keeps everything. */
    Path file() {
        return data.resolve("sluice.mv.db");
    }

    /** Write delay 0: at its default the embedded database loses acknowledged commits when the process is killed. */
    private String embedded() {
        return "jdbc:h2:file:" + data.resolve("sluice")
                + ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH"
                + ";WRITE_DELAY=0;LOCK_TIMEOUT=10000;DB_CLOSE_ON_EXIT=FALSE"
                // Standard output is for the two lines that scripts wait for.
                + ";TRACE_LEVEL_SYSTEM_OUT=0";
    }
}
