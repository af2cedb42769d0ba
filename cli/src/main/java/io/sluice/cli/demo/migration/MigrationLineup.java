package io.sluice.cli.demo.migration;

import io.sluice.cli.demo.Installation;
import io.sluice.cli.demo.ShopPrograms;
import io.sluice.cli.demo.process.Ending;
import io.sluice.cli.demo.process.Program;
import io.sluice.cli.demo.process.Readiness;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The programs of the demo and their addresses: a database, the control plane, and the inventory in two processes. */
final class MigrationLineup {
    static final String DATABASE = "database";

    /** Hears at once what is wanted. It is the one that is killed. */
    static final String QUICK = "router-1";

    /** Asks so seldom that it routes by an old plan for seconds after each change. */
    static final String LATE = "router-2";

    private static final int DATABASE_AT = 0;
    private static final int SERVER_AT = 1;
    private static final Map<String, Integer> ROUTERS_AT = Map.of(QUICK, 2, LATE, 3);
    private static final Map<String, String> LOOK_EVERY = Map.of(QUICK, "500ms", LATE, "5s");
    private static final String HOST = "127.0.0.1:";

    // Unpacking its programs takes a dictionary of 64 MB.
    private static final int DATABASE_HEAP = 128;
    private static final int ROUTER_HEAP = 96;

    private final Installation installation;
    private final MigrationSettings settings;
    private final String token;

    MigrationLineup(Installation installation, MigrationSettings settings, String token) {
        this.installation = installation;
        this.settings = settings;
        this.token = token;
    }

    Program database() {
        int port = databasePort();
        return new Program(
                DATABASE,
                installation.inventory(),
                "io.sluice.demo.inventory.DatabaseProcess",
                List.of(String.valueOf(port)),
                Map.of(),
                DATABASE_HEAP,
                port,
                Readiness.CONNECTS,
                Ending.ASKED);
    }

    Program server() {
        return ShopPrograms.server(installation, settings.directory(), serverAddress(), "server", token, List.of());
    }

    /** @param stocks whether it fills the old ledger before it answers */
    Program router(String name, boolean stocks) {
        int port = port(name);
        Map<String, String> environment = new HashMap<>(Map.of(
                "SERVER_PORT", String.valueOf(port),
                "INSTANCE", name,
                "DATABASE_URL", settings.database().urlOr(databasePort()),
                "DATABASE_USER", settings.database().user(),
                "DATABASE_PASSWORD", settings.database().password(),
                "SLUICE_SERVER", serverAddress().toString(),
                "LOOK_EVERY", LOOK_EVERY.getOrDefault(name, "1s")));
        if (stocks) {
            environment.put("STOCK_SKUS", String.valueOf(settings.skus()));
            environment.put("STOCK_EACH", String.valueOf(MigrationSettings.STOCK_OF_EACH));
        }
        return new Program(
                name,
                installation.inventory(),
                "io.sluice.demo.inventory.InventoryProcess",
                List.of(),
                environment,
                ROUTER_HEAP,
                port,
                Readiness.HEALTHY);
    }

    List<URI> routers() {
        return List.of(address(QUICK), address(LATE));
    }

    private URI address(String router) {
        return URI.create("http://" + HOST + port(router));
    }

    private int port(String router) {
        return settings.ports().at(ROUTERS_AT.getOrDefault(router, 0));
    }

    int databasePort() {
        return settings.ports().at(DATABASE_AT);
    }

    URI serverAddress() {
        return URI.create("http://" + HOST + settings.ports().at(SERVER_AT));
    }

    URI console() {
        return URI.create(serverAddress() + "/#token=" + token);
    }
}
