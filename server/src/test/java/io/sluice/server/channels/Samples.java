package io.sluice.server.channels;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.core.channel.ChannelReleaseSpec;
import io.sluice.core.channel.Workload;
import io.sluice.core.tag.Color;
import io.sluice.wire.ChannelReleaseSpecJson;
import java.time.Duration;
import java.util.List;

/** Documents and processes for tests. */
public final class Samples {
    private Samples() {}

    /** A blue-green release that waits for nothing it need not, with stages held so. */
    public static String blueGreen(String id, String channel, String hold) {
        return """
                {"strategy":"blue-green","id":"%s","channel":"%s","version":"v2",
                 "waits":{"grace":"0s","quiet":"1s","spread":"0s"},
                 "plan":{"stages":[{"percent":10,"hold":"%s"},{"percent":100,"hold":"%s"}]},
                 "guard":{"minSamples":5,"maxErrorRate":0.5,"maxP99":"900ms","baseline":"off"},
                 "green":[{"percent":50,"hold":"%s"}],"why":"pricing"}""".formatted(id, channel, hold, hold, hold);
    }

    public static String rolling(String id, String channel, int batches) {
        return """
                {"strategy":"rolling","id":"%s","channel":"%s","version":"v2","batches":%d,"between":"0s",
                 "waits":{"grace":"0s","quiet":"1s","spread":"0s"}}""".formatted(id, channel, batches);
    }

    /** One that is judged from five requests on. */
    public static String guardedRolling(String id, String channel, int batches) {
        return rolling(id, channel, batches)
                .replace(
                        "\"between\"",
                        "\"guard\":{\"minSamples\":5,\"maxErrorRate\":0.5,\"maxP99\":\"900ms\"},\"between\"");
    }

    static ChannelReleaseSpec spec(String document, String... services) {
        return ChannelReleaseSpecJson.readRequest(document.getBytes(UTF_8)).spec(List.of(services));
    }

    /** Reached, ready and registered. */
    static Workload workload(String service, String instance, Color color, String version) {
        return new Workload(service, instance, color, version, true, true, 0, 0, 0, 1, 1000, "", Duration.ZERO);
    }
}
