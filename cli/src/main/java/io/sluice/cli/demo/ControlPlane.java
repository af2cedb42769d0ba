package io.sluice.cli.demo;

import io.sluice.cli.release.ServerApi;
import io.sluice.core.release.ReleaseSpec;
import io.sluice.wire.ReleaseSpecJson;
import java.net.URI;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** The demo's release on the server. Each call throws as {@link ServerApi} does when it was not done. */
final class ControlPlane {
    private static final String RELEASES = "/api/v1/releases";

    private final ServerApi api;
    private final String release;

    ControlPlane(URI server, String token, String release) {
        this.api = new ServerApi(server, token);
        this.release = RELEASES + "/" + release;
    }

    void start(ReleaseSpec spec) {
        api.post(RELEASES, ReleaseSpecJson.write(spec));
        api.post(release + "/start", ServerApi.body(Map.of()));
    }

    void abort(String why) {
        api.post(release + "/abort", ServerApi.body(Map.of("why", why)));
    }

    JsonNode view() {
        return api.get(release);
    }

    JsonNode lanes() {
        return api.get(release + "/lanes?seconds=1");
    }

    JsonNode report() {
        return api.get(release + "/report");
    }
}
