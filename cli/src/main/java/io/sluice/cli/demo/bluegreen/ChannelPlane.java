package io.sluice.cli.demo.bluegreen;

import io.sluice.cli.release.ServerApi;
import io.sluice.core.tag.Color;
import java.net.URI;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** The demo's channels on the server. Each call throws as {@link ServerApi} does when it was not done. */
final class ChannelPlane {
    private static final String CHANNELS = "/api/v1/channels";
    private static final String RELEASES = "/api/v1/releases";
    private static final String DEPLOYER = "processes";

    private final ServerApi api;

    ChannelPlane(URI server, String token) {
        this.api = new ServerApi(server, token);
    }

    void createChannel(String id, List<String> services) {
        api.post(CHANNELS, ServerApi.body(Map.of("id", id, "services", services, "why", "the demo")));
    }

    /** Has the server start what does not run yet. */
    void bringUp(String channel, String service, Color color, String version) {
        api.post(
                CHANNELS + "/" + channel + "/scale",
                ServerApi.body(Map.of(
                        "service",
                        service,
                        "color",
                        color.label(),
                        "instances",
                        1,
                        "version",
                        version,
                        "deployer",
                        DEPLOYER,
                        "why",
                        "the demo begins")));
    }

    JsonNode workloads() {
        return api.get("/api/v1/workloads");
    }

    void start(ChannelReleaseDocument release) {
        api.post(RELEASES, ServerApi.body(release.document(DEPLOYER)));
        command(release.id(), "start", "the demo begins");
    }

    void command(String release, String command, String why) {
        api.post(RELEASES + "/" + release + "/" + command, ServerApi.body(Map.of("why", why)));
    }

    ChannelState state(String release) {
        return ChannelState.from(api.get(RELEASES + "/" + release));
    }
}
