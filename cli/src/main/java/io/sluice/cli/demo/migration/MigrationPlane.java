package io.sluice.cli.demo.migration;

import io.sluice.cli.release.ServerApi;
import io.sluice.wire.migration.MigrationChange;
import io.sluice.wire.migration.MigrationChangeJson;
import io.sluice.wire.migration.MigrationRequest;
import io.sluice.wire.migration.MigrationRequestJson;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.databind.JsonNode;

/** The demo's migration on the server. Each call throws as {@link ServerApi} does when it was not done. */
final class MigrationPlane {
    static final String MIGRATION = "inventory";

    private static final String ALL = "/api/v1/migrations";
    private static final String ONE = ALL + "/" + MIGRATION;

    private final ServerApi api;

    MigrationPlane(URI server, String token) {
        this.api = new ServerApi(server, token);
    }

    /** @param keysPerSecond in each process that moves */
    void create(int keysPerSecond) {
        api.post(ALL, MigrationRequestJson.write(new MigrationRequest(MIGRATION, "the demo")));
        change(new MigrationChange(
                "slow enough to be seen",
                OptionalLong.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(keysPerSecond),
                Optional.empty(),
                false));
    }

    /** @return the revision of the plan that says so */
    long percent(int percent) {
        return change(MigrationChange.percent(percent, "the demo goes on"));
    }

    /** Has the keys tried again that were handed back. @return the revision of the plan that says so */
    long retry() {
        return change(new MigrationChange(
                "the new side is back",
                OptionalLong.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                true));
    }

    private long change(MigrationChange change) {
        return api.post(ONE, MigrationChangeJson.write(change)).path("revision").asLong(0);
    }

    /** Everything that is missing for the old side to go, by the usual criteria. */
    List<String> unmet() {
        JsonNode readiness = api.get(ONE + "/readiness");
        List<String> unmet = new ArrayList<>();
        readiness.path("unmet").forEach(each -> unmet.add(each.asString("")));
        return unmet;
    }
}
