package io.sluice.cli.demo;

import io.sluice.cli.demo.load.Visitors;
import io.sluice.cli.demo.process.Ports;
import io.sluice.cli.demo.process.Program;
import io.sluice.core.tag.Assignment;
import java.net.URI;
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

    private final Ports ports;
    private final DemoFault fault;
    private final String token;
    private final ShopPrograms programs;

    /** @param token what the server asks of who commands it */
    Lineup(Installation installation, DemoSettings settings, String token) {
        this.ports = settings.ports();
        this.fault = settings.fault();
        this.token = token;
        this.programs =
                new ShopPrograms(installation, settings.directory(), ports.at(REGISTRY_AT), http(SERVER_AT, ""));
    }

    /** The programs in the order of their start; what stands together is started together. */
    List<List<Program>> waves() {
        return List.of(
                List.of(programs.registry(), server()),
                List.of(
                        programs.gateway(ports.at(GATEWAY_AT)),
                        stable("order", ORDER_AT),
                        stable("inventory", INVENTORY_AT)),
                List.of(stable("coupon", COUPON_AT), stable("user", USER_AT)),
                List.of(
                        canary("order", ORDER_AT, fault),
                        canary("coupon", COUPON_AT, DemoFault.none()),
                        canary("user", USER_AT, DemoFault.none())));
    }

    Program server() {
        return programs.server(SERVER, token, List.of());
    }

    private Program stable(String service, int place) {
        return shop(service, service, "", DemoFault.none(), ports.at(place));
    }

    private Program canary(String service, int place, DemoFault badness) {
        return shop(service + " " + VERSION, service, VERSION, badness, ports.at(place + 1));
    }

    private Program shop(String name, String service, String version, DemoFault badness, int port) {
        return programs.shop(name, service, port, Map.of("SLUICE_VERSION", version, "DEMO_FAULT", badness.text()));
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
}
