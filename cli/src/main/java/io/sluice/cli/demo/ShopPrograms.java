package io.sluice.cli.demo;

import io.sluice.cli.demo.process.Program;
import io.sluice.cli.demo.process.Readiness;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The programs that every demo has, at whatever ports.
 *
 * @param directory where they keep what they write
 * @param registryPort where they meet
 * @param server the control plane
 */
public record ShopPrograms(Installation installation, Path directory, int registryPort, URI server) {
    private static final String HOST = "127.0.0.1:";

    public Program registry() {
        return new Program(
                "registry",
                installation.shop(),
                "io.sluice.demo.shop.Registry",
                List.of(String.valueOf(registryPort), data("registry")),
                Map.of(),
                64,
                registryPort,
                Readiness.CONNECTS);
    }

    /** @param arguments beside its port and its data */
    public Program server(String name, String token, List<String> arguments) {
        return server(installation, directory, server, name, token, arguments);
    }

    /** The control plane alone. @param arguments beside its port and its data */
    public static Program server(
            Installation installation, Path directory, URI server, String name, String token, List<String> arguments) {
        List<String> all = new ArrayList<>(List.of(
                "--port",
                String.valueOf(server.getPort()),
                "--data",
                directory.resolve(name).toString()));
        all.addAll(arguments);
        return new Program(
                name,
                installation.server(),
                "io.sluice.server.Server",
                all,
                Map.of("SLUICE_SETUP_TOKEN", token),
                160,
                server.getPort(),
                Readiness.HEALTHY);
    }

    public Program gateway(int port) {
        return new Program(
                "gateway",
                installation.gateway(),
                "io.sluice.demo.gateway.Gateway",
                List.of(),
                connected("gateway", port),
                128,
                port,
                Readiness.HEALTHY);
    }

    /** @param more what it finds in its environment beside where everything is */
    public Program shop(String name, String service, int port, Map<String, String> more) {
        Map<String, String> environment = new HashMap<>(connected(name, port));
        environment.put("SPRING_APPLICATION_NAME", service);
        environment.putAll(more);
        return new Program(
                name,
                installation.shop(),
                "io.sluice.demo.shop.Shop",
                List.of(),
                environment,
                96,
                port,
                Readiness.HEALTHY);
    }

    private Map<String, String> connected(String name, int port) {
        return Map.of(
                "SERVER_PORT", String.valueOf(port),
                "ZOOKEEPER", HOST + registryPort,
                "SLUICE_SERVER", server.toString(),
                "SLUICE_LASTGOOD", data("rules/" + name.replace(' ', '-')));
    }

    private String data(String name) {
        return directory.resolve(name).toString();
    }
}
