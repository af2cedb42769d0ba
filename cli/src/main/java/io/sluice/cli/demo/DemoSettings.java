package io.sluice.cli.demo;

import io.sluice.cli.demo.process.Ports;
import io.sluice.core.guard.ErrorRate;
import java.nio.file.Path;
import java.time.Duration;

/**
 * What one demo shall be.
 *
 * @param startedAt when it was started, as names of files and releases have it
 * @param once whether it ends by itself after the report
 * @param fault how the new version is bad
 * @param kill what is killed on the way
 * @param hold how long each stage is held
 * @param visitsPerSecond how many requests the customers send
 * @param ports where its processes answer
 * @param directory where everything that it writes goes
 */
record DemoSettings(
        String startedAt,
        boolean once,
        DemoFault fault,
        Kill kill,
        Duration hold,
        int visitsPerSecond,
        Ports ports,
        Path directory) {
    /** The largest share of the new version's requests that may fail. */
    static final ErrorRate MAX_ERROR_RATE = ErrorRate.parse("2%");

    /** How much slower than the stable version the new one may be. */
    static final Duration MAX_SLOWDOWN = Duration.ofMillis(450);

    /** How the release must end for the demo to have kept its promise. */
    String promisedPhase() {
        return fault.isNone() && kill != Kill.CANARY ? "completed" : "aborted";
    }
}
