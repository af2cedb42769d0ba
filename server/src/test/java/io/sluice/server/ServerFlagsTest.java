package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.problem.RefusedException;
import io.sluice.testing.Requirement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerFlagsTest {
    @Test
    void nothingGivenIsTheLocalServer() {
        ServerFlags flags = ServerFlags.parse(List.of(), Map.of());

        assertThat(flags)
                .isEqualTo(new ServerFlags(
                        "127.0.0.1",
                        7070,
                        Path.of(".sluice/server").toAbsolutePath(),
                        null,
                        Duration.ofSeconds(1),
                        List.of(),
                        null,
                        Duration.ofSeconds(5),
                        null,
                        null,
                        null,
                        List.of(),
                        null));
    }

    @Test
    void bothWaysOfGivingAValueAreRead() {
        ServerFlags flags = ServerFlags.parse(List.of("--port=0", "--look-every", "250ms"), Map.of());

        assertThat(flags.port()).isZero();
        assertThat(flags.lookEvery()).isEqualTo(Duration.ofMillis(250));
    }

    @Test
    void everythingWrongIsSaidAtOnce() {
        List<String> arguments =
                List.of("--port", "70000", "--look-every", "soon", "--db", "postgres://x", "--colour", "--host");

        assertThatThrownBy(() -> ServerFlags.parse(arguments, Map.of("SLUICE_SETUP_TOKEN", "short")))
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused -> assertThat(refused.problems())
                                .extracting(Object::toString)
                                .containsExactly(
                                        "argument 7 was --colour, but must be one of --port, --host, --data, --db, --look-every, --allowed-hosts, --prometheus, --metrics-every,"
                                                + " --processes, --webhook, --webhook-secret-file, --publish-to, --signing-key",
                                        "--host was empty, but must have a value",
                                        "--port was 70000, but must be a number within 0..65535",
                                        "--look-every was soon, but must be a duration within 50ms..1m",
                                        "--db was postgres://x, but must start with jdbc:postgresql: or jdbc:h2:",
                                        "SLUICE_SETUP_TOKEN was 5 characters, but must be 32..256 printable ASCII characters"
                                                + " without a space"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "65536", "+80", "٧٠٧٠", "1e3", " 80"})
    void whatIsNoPortIsRefused(String port) {
        assertThatThrownBy(() -> ServerFlags.parse(List.of("--port", port), Map.of()))
                .isInstanceOf(RefusedException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/tmp/x;INIT=RUNSCRIPT FROM 'y'", "data;CIPHER=AES", "${user.home}", "a\nb"})
    void whatTheDatabaseWouldReadAsSettingsIsNoDirectory(String data) {
        assertThatThrownBy(() -> ServerFlags.parse(List.of("--data", data), Map.of()))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("--data");
    }

    @ParameterizedTest
    @CsvSource({"jdbc:mysql://x/y", "jdbc:", "jdbc:postgres://x"})
    void aDatabaseWithoutADriverHereIsRefused(String database) {
        assertThatThrownBy(() -> ServerFlags.parse(List.of("--db", database), Map.of()))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("--db");
    }

    @Test
    void namesToBeCalledByComeInAList() {
        ServerFlags flags = ServerFlags.parse(List.of("--allowed-hosts", "sluice.shop.example,gate"), Map.of());

        assertThat(flags.allowedHosts()).containsExactly("sluice.shop.example", "gate");
        assertThatThrownBy(() -> ServerFlags.parse(List.of("--allowed-hosts", "http://x"), Map.of()))
                .isInstanceOf(RefusedException.class);
    }

    @Test
    void theMetricSourceIsAnAddressWithoutSecrets() {
        ServerFlags flags = ServerFlags.parse(
                List.of("--prometheus", "https://metrics.example/prom", "--metrics-every", "15s"),
                Map.of("SLUICE_PROMETHEUS_TOKEN", "abc=="));

        assertThat(flags.settings())
                .containsEntry("sluice.prometheus.url", "https://metrics.example/prom")
                .containsEntry("sluice.metrics-every", "PT15S");
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1:9090,127.0.0.1:9090",
        "ftp://host,ftp://host",
        "http:///x,http:///x",
        "http://host:70000,http://host:70000",
        "http://host?x=1,http://host?x=1",
        "http://host/#x,http://host/#x",
        "http://ho st,http://ho st",
        "http://${user.home},http://${user.home}",
        "http://me:secret@host,http://...@host",
        "me:secret@host,...@host"
    })
    void anAddressThatIsNoneIsRefusedWithoutItsPassword(String url, String shown) {
        assertThatThrownBy(() -> ServerFlags.parse(List.of("--prometheus", url), Map.of()))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("--prometheus was " + shown + ", but must be like http://host:9090")
                .hasMessageNotContaining("secret");
    }

    @Test
    void whatIsWrongWithTheMetricSourceIsSaidAtOnce() {
        List<String> arguments = List.of("--prometheus", "x", "--metrics-every", "999ms");

        assertThatThrownBy(() -> ServerFlags.parse(arguments, Map.of("SLUICE_PROMETHEUS_TOKEN", "${x}")))
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused -> assertThat(refused.problems())
                                .extracting(problem -> problem.path() + " " + problem.was())
                                .containsExactly(
                                        "--prometheus x",
                                        "--metrics-every 999ms",
                                        "SLUICE_PROMETHEUS_TOKEN 4 characters"));
    }

    @ParameterizedTest
    @CsvSource({"49ms,false", "50ms,true", "1m,true", "61s,false"})
    void looksComeWithinBounds(String every, boolean taken) {
        List<String> arguments = List.of("--look-every", every);

        if (taken) {
            assertThat(ServerFlags.parse(arguments, Map.of()).lookEvery()).isPositive();
        } else {
            assertThatThrownBy(() -> ServerFlags.parse(arguments, Map.of())).isInstanceOf(RefusedException.class);
        }
    }

    @Test
    void deployersComeByFlags(@TempDir Path directory) throws Exception {
        Path processes = Files.writeString(directory.resolve("processes.json"), "{}");
        Path secret = Files.writeString(directory.resolve("secret"), "x");
        ServerFlags flags = ServerFlags.parse(
                List.of(
                        "--processes",
                        processes.toString(),
                        "--webhook",
                        "https://deploy.example/sluice",
                        "--webhook-secret-file",
                        secret.toString()),
                Map.of());

        assertThat(flags.settings())
                .containsEntry("sluice.processes", processes.toString())
                .containsEntry("sluice.webhook.url", "https://deploy.example/sluice")
                .containsEntry("sluice.webhook.secret-file", secret.toString());
    }

    @Test
    void whatIsWrongWithTheDeployersIsSaidAtOnce() {
        List<String> arguments = List.of("--processes", "/no/such/file", "--webhook", "http://me:secret@host");

        assertThatThrownBy(() -> ServerFlags.parse(arguments, Map.of()))
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused -> assertThat(refused.problems())
                                .extracting(problem -> problem.path() + " " + problem.was())
                                .containsExactly(
                                        "--processes /no/such/file",
                                        "--webhook http://...@host",
                                        "--webhook-secret-file missing"));
    }

    @Test
    @Requirement("F25")
    void aServerThatStandsStillInATransactionLosesItsLocks() {
        assertThat(ServerFlags.parse(List.of("--db", "jdbc:postgresql://h/x"), Map.of())
                        .settings())
                .containsEntry(
                        "spring.datasource.hikari.connection-init-sql",
                        "set idle_in_transaction_session_timeout = '5000ms'");
    }

    @Test
    void rulesArePublishedToSeveralCentres() {
        ServerFlags flags = ServerFlags.parse(
                List.of(
                        "--publish-to=etcd=http://one:2379,two:2379/sluice/rules",
                        "--publish-to",
                        "zookeeper=[::1]:2181/sluice/rules"),
                Map.of());

        assertThat(flags.publishTo())
                .extracting(Object::toString)
                .containsExactly("etcd=http://one:2379,two:2379/sluice/rules", "zookeeper=[::1]:2181/sluice/rules");
    }

    @Test
    void whatIsWrongWithPublishingIsSaidAtOnce() {
        List<String> arguments = List.of(
                "--publish-to=consul=http://127.0.0.1:8500/sluice",
                "--publish-to=etcd=127.0.0.1:2379/sluice/rules",
                "--publish-to=etcd=http://me:secret@127.0.0.1/sluice/rules",
                "--publish-to=zookeeper=127.0.0.1:70000/sluice",
                "--publish-to=zookeeper=127.0.0.1:2181",
                "--publish-to=nacos=127.0.0.1:8848/rules",
                "--publish-to=zookeeper=a:1/x",
                "--publish-to=zookeeper=a:1/x",
                "--publish-to=file=rules.json",
                "--publish-to=file=/srv/sluice/rules.json",
                "--signing-key=/nowhere/key.pem");

        assertThatThrownBy(() -> ServerFlags.parse(
                        arguments,
                        Map.of(
                                "SLUICE_ZOOKEEPER_USER",
                                "me",
                                "SLUICE_FILE_USER",
                                "me",
                                "SLUICE_FILE_PASSWORD",
                                "secret")))
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused -> assertThat(refused.problems())
                                .extracting(problem -> problem.path() + " was " + problem.was())
                                .containsExactly(
                                        "--publish-to was consul=http://127.0.0.1:8500/sluice",
                                        "--publish-to was 127.0.0.1:2379/sluice/rules",
                                        "--publish-to was ...@127.0.0.1/sluice/rules",
                                        "--publish-to was 127.0.0.1:70000/sluice",
                                        "--publish-to was 127.0.0.1:2181",
                                        "--publish-to was 127.0.0.1:8848/rules",
                                        "--publish-to was rules.json",
                                        "--publish-to was [zookeeper=a:1/x, zookeeper=a:1/x, file=/srv/sluice/rules.json]",
                                        "SLUICE_ZOOKEEPER_PASSWORD was empty",
                                        "SLUICE_FILE_USER was me",
                                        "--signing-key was /nowhere/key.pem, unreadable"));
    }
}
