package io.sluice.cli.demo;

import io.sluice.core.problem.Problems;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Where the programs of the demo are: in the project that this command was built in.
 *
 * @param root the directory with the launcher {@code sluice}
 */
public record Installation(Path root) {
    private static final String LAUNCHER = "sluice";

    /**
     * Looks upwards from where this class was loaded.
     *
     * @throws io.sluice.core.problem.RefusedException when something of the demo has not been built
     */
    public static Installation find() {
        Installation found = new Installation(upwardsFrom(ownPlace()));
        Problems problems = new Problems();
        for (Path jar : List.of(found.supervisor(), found.shop(), found.gateway(), found.inventory(), found.server())) {
            problems.require(
                    Files.isRegularFile(jar), jar.toString(), "missing", "must be built: ./mvnw -DskipTests package");
        }
        problems.throwIfAny();
        return found;
    }

    private static Path ownPlace() {
        try {
            return Path.of(Installation.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Path upwardsFrom(Path start) {
        for (Path place = start; place != null; place = place.getParent()) {
            if (Files.isRegularFile(place.resolve(LAUNCHER))) {
                return place;
            }
        }
        return Path.of("").toAbsolutePath();
    }

    public Path supervisor() {
        return root.resolve("demo/supervise/target/sluice-demo-supervise.jar");
    }

    public Path shop() {
        return root.resolve("demo/shop/target/sluice-demo-shop.jar");
    }

    public Path gateway() {
        return root.resolve("demo/gateway/target/sluice-demo-gateway.jar");
    }

    public Path inventory() {
        return root.resolve("demo/inventory/target/sluice-demo-inventory.jar");
    }

    public Path server() {
        return root.resolve("server/target/sluice-server.jar");
    }
}
