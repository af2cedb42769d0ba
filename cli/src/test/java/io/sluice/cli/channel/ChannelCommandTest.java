package io.sluice.cli.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.Ran;
import io.sluice.cli.release.FakeServer;
import io.sluice.cli.release.FakeServer.Asked;
import io.sluice.testing.Requirement;
import java.io.IOException;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ChannelCommandTest {
    private static final String VIEW = """
            {"id":"trade","services":["inventory","order"],"release":"trade-2026-11","bluePercent":5,"sides":[\
            {"color":"blue","share":5,"versions":["v2"],"instances":[\
            {"service":"order","instance":"order@10.0.0.7:8080","version":"v2","ready":true,"registered":true,\
            "reached":true,"requests":10,"requestsPerSecond":12.5,"plannedShare":5,"share":20,"imbalance":4.0}]},\
            {"color":"green","share":95,"versions":["v1"],"instances":[\
            {"service":"order","instance":"order@10.0.0.8:8080","version":"v1","ready":true,"registered":true,\
            "reached":true,"requests":190,"requestsPerSecond":110.0,"plannedShare":47.5,"share":40,"imbalance":null},\
            {"service":"order","instance":"order@10.0.0.9:8080","version":"v1","ready":false,"registered":false,\
            "reached":true,"requests":190,"requestsPerSecond":0,"plannedShare":47.5,"share":40,"imbalance":null}]}],\
            "scaling":{"key":"k","state":"running","note":"starting order\\u001b[2J"}}""";

    private FakeServer server;

    @BeforeEach
    void start() throws IOException {
        server = new FakeServer();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Requirement("C3")
    @Test
    void createPostsTheServicesOnce() {
        server.answers(201, "application/json", "{\"id\":\"trade\"}");

        Ran ran = asked("channel", "create", "trade", "--services", "order, inventory", "--why", "November");

        assertThat(ran).isEqualTo(Ran.printed("{\"id\":\"trade\"}"));
        assertThat(server.asked())
                .containsExactly(new Asked(
                        "POST",
                        "/api/v1/channels",
                        "Bearer secret-token",
                        "{\"id\":\"trade\",\"services\":[\"inventory\",\"order\"],\"why\":\"November\"}"));
    }

    @Requirement("C3")
    @Test
    void everyBadArgumentIsNamedBeforeTheServerIsAsked() {
        Ran ran = asked("channel", "create", "Trade", "--services", ",");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err().lines())
                .containsExactly(
                        "ID was Trade, but must match [a-z0-9][a-z0-9._-]{0,63} (lower case)",
                        "--services was empty, but must name at least one service");
        assertThat(server.asked()).isEmpty();
    }

    @Requirement("C5")
    @Test
    void serviceInAnotherChannelIsRefusedByName() {
        server.answers(409, "application/problem+json", """
                {"title":"Conflict","status":409,"problems":[
                  {"path":"services","was":"order","allowed":"must not be in channel sales at the same time"}]}
                """);

        assertThat(asked("channel", "create", "trade", "--services=order"))
                .isEqualTo(Ran.refused("services was order, but must not be in channel sales at the same time"));
    }

    @Test
    void listPrintsOneChannelALine() {
        server.answers(200, "application/json", "{\"channels\":[{\"id\":\"a\"},\n{\"id\":\"b\"}]}");

        assertThat(asked("channel", "list")).isEqualTo(Ran.printed("{\"id\":\"a\"}", "{\"id\":\"b\"}"));
    }

    @Requirement("J2")
    @Test
    void showDrawsBothSidesForPeople() {
        server.answers(200, "application/json", VIEW);

        assertThat(asked("channel", "show", "trade", "--format", "text"))
                .isEqualTo(Ran.printed(
                        "trade: inventory, order; in release trade-2026-11",
                        "  blue         5%  |#                   |  v2  1 of 1 ready, 1 registered, 12.5 requests/s",
                        "  green       95%  |################### |  v1  1 of 2 ready, 1 registered, 110.0 requests/s",
                        "  imbalance: order@10.0.0.7:8080 gets 4.0 times its planned 5%",
                        "  scaling: running, starting order\\u001b[2J"));
        assertThat(asked("channel", "show", "trade").out().lines()).hasSize(1);
    }

    @Requirement("C7")
    @Test
    void scalePostsTheOrder() {
        server.answers(202, "application/json", "{\"key\":\"k\",\"state\":\"running\",\"note\":\"\"}");

        Ran ran = asked("channel scale trade --service order --color blue --instances 4 --why=sale --deployer processes"
                + " --override");

        assertThat(ran.code()).isZero();
        assertThat(server.asked())
                .containsExactly(new Asked(
                        "POST",
                        "/api/v1/channels/trade/scale",
                        "Bearer secret-token",
                        "{\"service\":\"order\",\"color\":\"blue\",\"instances\":4,\"deployer\":\"processes\","
                                + "\"why\":\"sale\",\"override\":true}"));
    }

    @Requirement("C7")
    @Test
    void scaleNamesEverythingThatIsMissing() {
        assertThat(asked("channel scale trade --color red").err().lines())
                .containsExactly(
                        "--service was missing, but must match [A-Za-z0-9][A-Za-z0-9._-]{0,127}",
                        "--color was red, but must be blue or green",
                        "--instances was missing, but must be a whole number, at most ten digits",
                        "--why was missing, but must say why, in at most 500 characters");
    }

    @Test
    void deleteAsksAndSaysSo() {
        server.answers(204, "application/json", "");

        assertThat(asked("channel delete trade")).isEqualTo(new Ran(0, "", "deleted channel trade\n"));
        assertThat(server.asked())
                .containsExactly(new Asked("DELETE", "/api/v1/channels/trade", "Bearer secret-token", ""));
    }

    private static final String WORKLOADS = """
            {"published":"1.7","workloads":[
             {"instance":"order@10.0.0.7:8080","refusal":"","reached":true,"unheardMillis":300,"applied":true},
             {"instance":"order@10.0.0.8:8080","refusal":"","reached":false,"unheardMillis":61500,"applied":false},
             {"instance":"user@10.0.0.9:8080","refusal":"no","reached":true,"unheardMillis":5,"applied":false}]}
            """;

    @Requirement("F22")
    @Test
    void workloadsThatCannotBeCountedOnAreNamed() {
        server.answers(200, "application/json", WORKLOADS);

        Ran ran = asked("workloads");

        assertThat(ran.code()).isEqualTo(10);
        assertThat(ran.out().lines()).hasSize(3);
        assertThat(ran.err().lines())
                .containsExactly(
                        "order@10.0.0.8:8080: UNREACHED, not heard of for 61 s",
                        "user@10.0.0.9:8080: REFUSES its rules: no");
    }

    @Test
    void workloadsThatAllTakeTheirRulesAreFine() {
        server.answers(
                200, "application/json", "{\"workloads\":[{\"instance\":\"a@1\",\"refusal\":\"\",\"reached\":true}]}");

        assertThat(asked("workloads"))
                .isEqualTo(Ran.printed("{\"instance\":\"a@1\",\"refusal\":\"\",\"reached\":true}"));
    }

    @Test
    void processThatIsGoneIsStruckOff() {
        server.answers(204, "application/json", "");

        assertThat(asked("workloads strike order@10.0.0.7:8080"))
                .isEqualTo(new Ran(0, "", "struck off order@10.0.0.7:8080\n"));
        assertThat(server.asked())
                .containsExactly(
                        new Asked("DELETE", "/api/v1/workloads/order@10.0.0.7:8080", "Bearer secret-token", ""));
        assertThat(asked("workloads", "strike", "a b").code()).isEqualTo(2);
    }

    private Ran asked(String line) {
        return asked(line.split(" "));
    }

    private Ran asked(String... args) {
        String[] all = Stream.concat(Stream.of(args), Stream.of("--server", server.url()))
                .toArray(String[]::new);
        return Ran.with(Map.of("SLUICE_TOKEN", "secret-token"), new byte[0], all);
    }
}
