package io.sluice.bench;

import io.sluice.core.observation.ServedRequests;
import io.sluice.core.rule.TrafficRules;
import io.sluice.core.tag.Color;
import io.sluice.wire.remote.RemoteRuleSource;
import io.sluice.wire.remote.WorkloadReporter;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * A process that has of Sluice what every one has: rules that it follows, and reports of how it stands. It prints when it has
 * applied which rules, as {@code <microseconds of the wall clock> <epoch> <revision>}, and ends with its standard input.
 */
final class FollowerMain {
    private FollowerMain() {}

    /** @param arguments the server, its service, its instance and its color; blue already runs the new version */
    public static void main(String[] arguments) throws IOException {
        Logger.getLogger("").setLevel(Level.OFF);
        URI server = URI.create(arguments[0]);
        Color color = Color.parse(arguments[3]);
        RemoteRuleSource rules = RemoteRuleSource.builder(server).build();
        rules.subscribe(applied -> System.out.println(microsNow() + " " + applied.epoch() + " " + applied.revision()));
        rules.start();
        TrafficRules channels = new TrafficRules(rules, arguments[1]);
        WorkloadReporter.builder(server, rules, new ServedRequests(), arguments[1], arguments[2])
                .color(color)
                .version(color == Color.BLUE ? "v2" : "v1")
                .registered(() -> channels.myChannel().stream().noneMatch(it -> it.isClosed(color, arguments[2])))
                .start();
        while (System.in.read() >= 0) {
            // Until whoever has started it is gone.
        }
        System.exit(0);
    }

    static long microsNow() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }
}
