package io.sluice.server;

import io.sluice.center.CenterName;
import io.sluice.core.problem.Problem;
import io.sluice.core.problem.Problems;
import io.sluice.core.problem.RefusedException;
import io.sluice.server.publishing.TargetLogin;
import io.sluice.wire.DurationText;
import io.sluice.wire.RuleSigner;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the command line asks for.
 *
 * @param port 0 for any free one
 * @param database a JDBC address; null for the embedded database under {@code data}
 * @param allowedHosts names that it may be called by, besides localhost, addresses and {@code host}
 * @param prometheus where the metrics of plans are asked for; null for nowhere
 * @param metricsEvery how often each metric is asked for
 * @param processes the file of the processes that may be started and stopped; null for none
 * @param webhook where orders to deploy are posted; null for nowhere
 * @param webhookSecretFile holds what they are signed with; there with {@code webhook}
 * @param publishTo config centres that get the rules too
 * @param signingKey signs what they get; null for nothing
 */
record ServerFlags(
        String host,
        int port,
        Path data,
        @Nullable String database,
        Duration lookEvery,
        List<String> allowedHosts,
        @Nullable URI prometheus,
        Duration metricsEvery,
        @Nullable Path processes,
        @Nullable URI webhook,
        @Nullable Path webhookSecretFile,
        List<CenterName> publishTo,
        @Nullable Path signingKey) {
    static final String USAGE = """
            usage: sluice server [--port N] [--host ADDRESS] [--data DIR] [--db JDBC-URL] [--look-every DURATION]
                                 [--allowed-hosts NAME,NAME] [--prometheus URL] [--metrics-every DURATION]
                                 [--processes FILE] [--webhook URL --webhook-secret-file FILE]
                                 [--publish-to KIND=ADDRESS]... [--signing-key FILE]
              --port N               where to listen, 0 for any free port (default 7070)
              --host ADDRESS         the address to listen on (default 127.0.0.1)
              --data DIR             where the embedded database lives (default ./.sluice/server)
              --db JDBC-URL          another database, like jdbc:postgresql://host/sluice
              --look-every DURATION  how often releases are looked at, 50ms..1m (default 1s)
              --allowed-hosts NAMES  names that browsers and processes call it by, besides localhost and addresses
              --prometheus URL       where the metrics of plans are asked for, like http://127.0.0.1:9090; a bearer token
                                     comes in SLUICE_PROMETHEUS_TOKEN
              --metrics-every DURATION  how often each metric is asked for, 1s..1m (default 5s)
              --processes FILE       the processes of this machine that releases of channels may stop and start
              --webhook URL          where releases of channels have versions deployed
              --webhook-secret-file FILE  the secret that its orders are signed with, 16 bytes or more
              --publish-to KIND=ADDRESS  a config centre that gets the rules too, like etcd=http://127.0.0.1:2379/sluice/rules,
                                     zookeeper=127.0.0.1:2181/sluice/rules, nacos=127.0.0.1:8848/namespace/group/dataId
                                     or a file, file=/srv/sluice/rules.json; may be given several times; a login
                                     comes in SLUICE_ETCD_USER and SLUICE_ETCD_PASSWORD, and so for each kind
              --signing-key FILE     an Ed25519 private key (PKCS#8) that signs what the centres get
            """;

    static final String SETUP_TOKEN = "SLUICE_SETUP_TOKEN";
    static final String PROMETHEUS_TOKEN = "SLUICE_PROMETHEUS_TOKEN";

    // Half of the time for which a lease holds: whoever takes over finds no lock of the one before.
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private static final Map<String, String> DEFAULTS = Map.ofEntries(
            Map.entry("--port", "7070"),
            Map.entry("--host", "127.0.0.1"),
            Map.entry("--data", ".sluice/server"),
            Map.entry("--db", ""),
            Map.entry("--look-every", "1s"),
            Map.entry("--allowed-hosts", ""),
            Map.entry("--prometheus", ""),
            Map.entry("--metrics-every", "5s"),
            Map.entry("--processes", ""),
            Map.entry("--webhook", ""),
            Map.entry("--webhook-secret-file", ""),
            Map.entry("--publish-to", ""),
            Map.entry("--signing-key", ""));

    /** Given several times, the values stand one after the other, parted by what none of them may have in it. */
    private static final Set<String> REPEATABLE = Set.of("--publish-to");

    private static final String BETWEEN = "\n";
    private static final Pattern TOKEN = Pattern.compile("[\\x21-\\x7e]{32,256}");
    // RFC 6750, section 2.1.
    private static final Pattern BEARER = Pattern.compile("[A-Za-z0-9._~+/-]{1,4096}=*");
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
        Duration lookEvery = problems.part("", () -> duration(given, "--look-every", Duration.ofMillis(50)));
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
        String prometheus = text(given, "--prometheus");
        URI source = prometheus.isEmpty() ? null : problems.part("--prometheus", () -> source(prometheus));
        String processes = text(given, "--processes");
        Path processesFile = processes.isEmpty() ? null : problems.part("--processes", () -> file(processes));
        String webhook = text(given, "--webhook");
        URI webhookUrl = webhook.isEmpty() ? null : problems.part("--webhook", () -> webhook(webhook));
        String secret = text(given, "--webhook-secret-file");
        Path secretFile = secret.isEmpty() ? null : problems.part("--webhook-secret-file", () -> file(secret));
        problems.require(
                webhook.isEmpty() == secret.isEmpty(),
                webhook.isEmpty() ? "--webhook" : "--webhook-secret-file",
                "missing",
                "must be given with " + (webhook.isEmpty() ? "--webhook-secret-file" : "--webhook"));
        Duration metricsEvery = problems.part("", () -> duration(given, "--metrics-every", Duration.ofSeconds(1)));
        String bearer = environment.getOrDefault(PROMETHEUS_TOKEN, "");
        problems.require(
                bearer.isEmpty() || BEARER.matcher(bearer).matches(),
                PROMETHEUS_TOKEN,
                bearer.length() + " characters",
                "must be 1..4096 letters, digits and ._~+/- of ASCII, then = if need be");
        String token = environment.get(SETUP_TOKEN);
        problems.require(
                token == null || TOKEN.matcher(token).matches(),
                SETUP_TOKEN,
                token == null ? "" : token.length() + " characters",
                "must be 32..256 printable ASCII characters without a space");
        List<CenterName> publishTo = Stream.of(text(given, "--publish-to").split(BETWEEN, -1))
                .filter(target -> !target.isEmpty())
                .map(target -> problems.part("--publish-to", () -> CenterName.parse(target)))
                .filter(Objects::nonNull)
                .toList();
        problems.require(
                Set.copyOf(publishTo).size() == publishTo.size(),
                "--publish-to",
                publishTo,
                "must name each target once");
        // The first of each kind: all of a kind have one login.
        publishTo.stream()
                .collect(Collectors.toMap(
                        CenterName::kind, target -> target, (first, next) -> first, LinkedHashMap::new))
                .values()
                .forEach(target -> problems.part("", () -> TargetLogin.require(target, environment)));
        String key = text(given, "--signing-key");
        Path signingKey = key.isEmpty() ? null : problems.part("--signing-key", () -> signingKey(key));
        problems.throwIfAny();
        return new ServerFlags(
                text(given, "--host"),
                Objects.requireNonNull(port),
                Objects.requireNonNull(data),
                database.isEmpty() ? null : database,
                Objects.requireNonNull(lookEvery),
                allowedHosts,
                source,
                Objects.requireNonNull(metricsEvery),
                processesFile,
                webhookUrl,
                secretFile,
                publishTo,
                signingKey);
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
                        "must be one of --port, --host, --data, --db, --look-every, --allowed-hosts, --prometheus,"
                                + " --metrics-every, --processes, --webhook, --webhook-secret-file, --publish-to, --signing-key");
                continue;
            }
            boolean valueFollows = equals < 0 && i + 1 < arguments.size();
            String value = equals >= 0 ? argument.substring(equals + 1) : valueFollows ? arguments.get(++i) : "";
            problems.require(!value.isEmpty(), flag, "empty", "must have a value");
            if (REPEATABLE.contains(flag)) {
                given.merge(flag, value, (first, next) -> first + BETWEEN + next);
            } else {
                problems.require(given.put(flag, value) == null, flag, "given twice", "must be given once");
            }
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

    private static Path signingKey(String text) {
        Path file = path(text);
        try {
            RuleSigner.read(file);
            return file;
        } catch (RefusedException refused) {
            Problem first = refused.problems().get(0);
            throw new RefusedException("", file + ", " + first.was(), first.allowed());
        }
    }

    private static Duration duration(Map<String, String> given, String flag, Duration least) {
        String text = text(given, flag);
        try {
            Duration duration = DurationText.parse(text);
            if (duration.compareTo(least) >= 0 && duration.compareTo(Duration.ofMinutes(1)) <= 0) {
                return duration;
            }
        } catch (RefusedException noDuration) {
            // Said below, with the bounds.
        }
        throw new RefusedException(flag, text, "must be a duration within " + DurationText.format(least) + "..1m");
    }

    private static Path file(String text) {
        try {
            Path file = Path.of(text).toAbsolutePath().normalize();
            if (!UNSAFE.matcher(file.toString()).find() && Files.isReadable(file) && !Files.isDirectory(file)) {
                return file;
            }
        } catch (InvalidPathException refused) {
            // Said below.
        }
        throw new RefusedException("", text, "must be a file to read, its path without ;, ${ or control characters");
    }

    private static URI source(String text) {
        return address(
                text,
                "must be like http://host:9090 or https://host/path, without a user, a query or a fragment; a token"
                        + " comes in " + PROMETHEUS_TOKEN);
    }

    private static URI webhook(String text) {
        return address(text, "must be like https://host/path, without a user, a query or a fragment");
    }

    /** What stands before an @ may be a password, which is not repeated. */
    private static URI address(String text, String allowed) {
        String shown = text.replaceFirst("^([a-z]*:?//)?[^/]*@", "$1...@");
        try {
            URI uri = new URI(text);
            boolean isPlain = uri.getRawUserInfo() == null && uri.getRawQuery() == null && uri.getRawFragment() == null;
            boolean isPort = uri.getPort() == -1 || (uri.getPort() >= 1 && uri.getPort() <= 65_535);
            if (isPlain
                    && isPort
                    && uri.getHost() != null
                    && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
                return uri;
            }
        } catch (URISyntaxException noAddress) {
            // Said below.
        }
        throw new RefusedException("", shown, allowed);
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
        } else if (database.startsWith("jdbc:postgresql:")) {
            // A server that stands still in a transaction must not hold off the one that takes over for it.
            settings.put(
                    "spring.datasource.hikari.connection-init-sql",
                    "set idle_in_transaction_session_timeout = '" + LONGEST_PAUSE.toMillis() + "ms'");
        }
        settings.put("sluice.data", data.toString());
        settings.put("sluice.processes", processes == null ? "" : processes.toString());
        settings.put("sluice.webhook.url", webhook == null ? "" : webhook.toString());
        settings.put("sluice.webhook.secret-file", webhookSecretFile == null ? "" : webhookSecretFile.toString());
        settings.put("sluice.look-every", lookEvery.toString());
        settings.put("sluice.prometheus.url", prometheus == null ? "" : prometheus.toString());
        settings.put("sluice.metrics-every", metricsEvery.toString());
        settings.put(
                "sluice.publish-to",
                publishTo.stream().map(CenterName::toString).toList());
        settings.put("sluice.signing-key", signingKey == null ? "" : signingKey.toString());
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
