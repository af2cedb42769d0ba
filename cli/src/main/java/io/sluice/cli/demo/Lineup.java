package io.sluice.cli.demo;

import io.sluice.cli.demo.load.Visitors;
import io.sluice.cli.demo.process.Ports;
import io.sluice.cli.demo.process.Program;
import io.sluice.cli.demo.process.Readiness;
import io.sluice.core.tag.Assignment;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The ten programs of the demo and their addresses. */
final class Lineup {
    /** How many ports it takes: one a program. */
    static final int PORTS = 10;

    static final String VERSION = "v2.1.0";

    /** What is released together; inventory stays as it is. */
    static final List<String> RELEASED = List.of("coupon", "order", "user");

    /** The instance that a fault makes bad, and that {@code --kill canary} kills. */
    static final String CANARY_ORDER = "order " + VERSION;

    static final String SERVER = "server";

    // Each service stands at its place, its canary right after it.
    private static final int REGISTRY_AT = 0;
    private static final int SERVER_AT = 1;
    private static final int GATEWAY_AT = 2;
    private static final int ORDER_AT = 3;
    private static final int COUPON_AT = 5;
    private static final int USER_AT = 7;
    private static final int INVENTORY_AT = 9;

    private final Installation installation;
    private final Path directory;
    private final Ports ports;
    private final DemoFault fault;
    private final String token;

    /** @param token what the server asks of who commands it */
    Lineup(Installation installation, DemoSettings settings, String token) {
        this.installation = installation;
        this.directory = settings.directory();
        this.ports = settings.ports();
        this.fault = settings.fault();
        this.token = token;
    }

    /** The programs in the order of their start; what stands together is started together. */
    List<List<Program>> waves() {
        return List.of(
                List.of(registry(), server()),
                List.of(gateway(), stable("order", ORDER_AT), stable("inventory", INVENTORY_AT)),
                List.of(stable("coupon", COUPON_AT), stable("user", USER_AT)),
                List.of(
                        canary("order", ORDER_AT, fault),
                        canary("coupon", COUPON_AT, DemoFault.none()),
                        canary("user", USER_AT, DemoFault.none())));
    }

    Program server() {
        return new Program(
                SERVER,
                installation.server(),
                "io.sluice.server.Server",
                List.of("--port", String.valueOf(ports.at(SERVER_AT)), "--data", data(SERVER)),
                Map.of("SLUICE_SETUP_TOKEN", token),
                160,
                ports.at(SERVER_AT),
                Readiness.HEALTHY);
    }

    private Program registry() {
        return new Program(
                "registry",
                installation.shop(),
                "io.sluice.demo.shop.Registry",
                List.of(String.valueOf(ports.at(REGISTRY_AT)), data("registry")),
                Map.of(),
                64,
                ports.at(REGISTRY_AT),
                Readiness.CONNECTS);
    }

    private Program gateway() {
        return new Program(
                "gateway",
                installation.gateway(),
                "io.sluice.demo.gateway.Gateway",
                List.of(),
                Map.of(
                        "SERVER_PORT", String.valueOf(ports.at(GATEWAY_AT)),
                        "ZOOKEEPER", address(REGISTRY_AT),
                        "SLUICE_SERVER", serverAddress().toString(),
                        "SLUICE_LASTGOOD", data("rules/gateway")),
                128,
                ports.at(GATEWAY_AT),
                Readiness.HEALTHY);
    }

    private Program stable(String service, int place) {
        return shop(service, service, "", DemoFault.none(), ports.at(place));
    }

    private Program canary(String service, int place, DemoFault badness) {
        return shop(service + " " + VERSION, service, VERSION, badness, ports.at(place + 1));
    }

    private Program shop(String name, String service, String version, DemoFault badness, int port) {
        return new Program(
                name,
                installation.shop(),
                "io.sluice.demo.shop.Shop",
                List.of(),
                Map.of(
                        "SPRING_APPLICATION_NAME", service,
                        "SLUICE_VERSION", version,
                        "SLUICE_SERVER", serverAddress().toString(),
                        "SLUICE_LASTGOOD", data("rules/" + name.replace(' ', '-')),
                        "SERVER_PORT", String.valueOf(port),
                        "ZOOKEEPER", address(REGISTRY_AT),
                        "DEMO_FAULT", badness.text()),
                96,
                port,
                Readiness.HEALTHY);
    }

    /** What each instance of the shop answers by itself; their first requests are slow and no release's business. */
    List<URI> warmUps() {
        return List.of(
                http(USER_AT, "/users/1"),
                http(USER_AT + 1, "/users/1"),
                http(INVENTORY_AT, "/stock/1"),
                http(COUPON_AT, "/coupons/1"),
                http(COUPON_AT + 1, "/coupons/1"),
                http(ORDER_AT, "/orders/1"),
                http(ORDER_AT + 1, "/orders/1"),
                http(GATEWAY_AT, "/orders/1"));
    }

    /** Who visits the shop; their forgers claim to be on the canary of some release. */
    Visitors visitors(String release) {
        return new Visitors(new Assignment(release, VERSION));
    }

    URI console() {
        return URI.create(serverAddress() + "/#token=" + token);
    }

    String token() {
        return token;
    }

    URI serverAddress() {
        return http(SERVER_AT, "");
    }

    URI shopAddress() {
        return http(GATEWAY_AT, "");
    }

    private URI http(int place, String path) {
        return URI.create("http://" + address(place) + path);
    }

    private String address(int place) {
        return "127.0.0.1:" + ports.at(place);
    }

    private String data(String name) {
        return directory.resolve(name).toString();
    }
}
