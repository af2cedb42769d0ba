package io.sluice.cli.demo.bluegreen;

import io.sluice.cli.demo.Installation;
import io.sluice.cli.demo.ShopPrograms;
import io.sluice.cli.demo.process.Ports;
import io.sluice.cli.demo.process.Program;
import io.sluice.core.tag.Color;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The programs of the demo and their addresses. Registry, server, gateway and the user service, which is in no channel, are
 * the demo's own; the instances of the channels are the server's, which stops and starts them.
 */
final class ChannelLineup {
    /** How many ports it takes: one a program. */
    static final int PORTS = 10;

    static final String OLD = "v1";
    static final String NEW = "v2";

    /** Two services in one channel and one in another. */
    static final Map<String, List<String>> CHANNELS = channels();

    private static final int REGISTRY_AT = 0;
    private static final int SERVER_AT = 1;
    private static final int GATEWAY_AT = 2;
    private static final int USER_AT = 3;

    // The blue instance of each service at its place, the green one right after it.
    private static final Map<String, Integer> PLACES = Map.of("order", 4, "inventory", 6, "coupon", 8);

    private static final String HOST = "127.0.0.1:";

    private final Installation installation;
    private final Path directory;
    private final Ports ports;
    private final String fault;
    private final String token;
    private final ShopPrograms programs;

    /**
     * A lineup.
     *
     * @param fault how the new version of order misbehaves; empty for not at all
     * @param token what the server asks of who commands it
     */
    ChannelLineup(Installation installation, Path directory, Ports ports, String fault, String token) {
        this.installation = installation;
        this.directory = directory;
        this.ports = ports;
        this.fault = fault;
        this.token = token;
        this.programs = new ShopPrograms(installation, directory, ports.at(REGISTRY_AT), serverAddress());
    }

    private static Map<String, List<String>> channels() {
        Map<String, List<String>> channels = new LinkedHashMap<>();
        channels.put("trade", List.of("inventory", "order"));
        channels.put("marketing", List.of("coupon"));
        return channels;
    }

    /** The demo's own programs in the order of their start. */
    List<List<Program>> waves() {
        Program server = programs.server(
                "server", token, List.of("--processes", processesFile().toString()));
        Program user = programs.shop("user", "user", ports.at(USER_AT), Map.of());
        return List.of(List.of(programs.registry(), server), List.of(programs.gateway(ports.at(GATEWAY_AT)), user));
    }

    /** The document that tells the server of the channels' processes. */
    Map<String, Object> processes() {
        List<Map<String, Object>> processes = new ArrayList<>();
        CHANNELS.values()
                .forEach(services -> services.forEach(service -> {
                    for (Color color : Color.values()) {
                        processes.add(process(service, color));
                    }
                }));
        return Map.of("processes", processes);
    }

    Path processesFile() {
        return directory.resolve("processes.json");
    }

    private Map<String, Object> process(String service, Color color) {
        Map<String, String> more = new LinkedHashMap<>();
        more.put("SLUICE_VERSION", "${version}");
        more.put("SLUICE_COLOR", color.label());
        if (service.equals("order") && !fault.isEmpty()) {
            more.put("DEMO_FAULT", fault);
            more.put("DEMO_FAULT_IN", NEW);
        }
        Program program = programs.shop(service + "-" + color.label(), service, port(service, color), more);
        Map<String, Object> process = new LinkedHashMap<>();
        process.put("name", program.name());
        process.put("service", service);
        process.put("color", color.label());
        process.put("instance", service + "@" + HOST + program.port());
        // Not on the server, which may be killed, but on this process.
        process.put(
                "command",
                program.command(
                        installation.supervisor(), ProcessHandle.current().pid()));
        process.put("environment", program.environment());
        process.put("log", directory.resolve(program.name() + ".log").toString());
        process.put("ready", health(program.port()).toString());
        return process;
    }

    private int port(String service, Color color) {
        return ports.at(PLACES.getOrDefault(service, 0) + (color == Color.BLUE ? 0 : 1));
    }

    /** Where a channel's release asks whether a side is well. */
    URI check(String channel) {
        List<String> services = CHANNELS.getOrDefault(channel, List.of());
        return health(port(services.get(services.size() - 1), Color.BLUE));
    }

    /** What each instance of the shop answers by itself; their first requests are slow. */
    List<URI> warmUps() {
        List<URI> addresses = new ArrayList<>();
        addresses.add(URI.create("http://" + HOST + ports.at(USER_AT) + "/users/1"));
        for (Color color : Color.values()) {
            addresses.add(URI.create("http://" + HOST + port("inventory", color) + "/stock/1"));
            addresses.add(URI.create("http://" + HOST + port("coupon", color) + "/coupons/1"));
            addresses.add(URI.create("http://" + HOST + port("order", color) + "/orders/1"));
        }
        addresses.add(shopAddress().resolve("/orders/1"));
        return addresses;
    }

    URI serverAddress() {
        return URI.create("http://" + HOST + ports.at(SERVER_AT));
    }

    URI shopAddress() {
        return URI.create("http://" + HOST + ports.at(GATEWAY_AT));
    }

    URI console() {
        return URI.create(serverAddress() + "/#token=" + token);
    }

    String token() {
        return token;
    }

    private static URI health(int port) {
        return URI.create("http://" + HOST + port + "/actuator/health");
    }
}
