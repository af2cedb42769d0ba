package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.problem.RefusedException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
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
                                                + " --processes, --webhook, --webhook-secret-file",
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
}
