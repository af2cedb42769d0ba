package io.sluice.cli.demo.bluegreen;

import io.sluice.cli.demo.process.Ports;
import java.nio.file.Path;

/**
 * What one blue-green demo shall be.
 *
 * @param startedAt when it was started, as names of files and releases have it
 * @param once whether it ends by itself after the report
 * @param fault how the new version of order is bad, like {@code errors=6%}; empty for a good one
 * @param hold how long blue stays at each share, like {@code 6s}
 * @param visitsPerSecond how many requests the customers send
 * @param ports where its processes answer
 * @param directory where everything that it writes goes
 */
public record BlueGreenSettings(
        String startedAt, boolean once, String fault, String hold, int visitsPerSecond, Ports ports, Path directory) {
    /** How many ports it takes. */
    public static final int PORTS = ChannelLineup.PORTS;

    String release(String channel) {
        return channel + "-" + startedAt;
    }

    /** How the release of a channel must end for the demo to have kept its promise. */
    String promisedPhase(String channel) {
        return fault.isEmpty() || !channel.equals("trade") ? "completed" : "aborted";
    }
}
