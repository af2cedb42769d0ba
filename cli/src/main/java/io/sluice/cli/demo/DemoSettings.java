package io.sluice.cli.demo;

import io.sluice.cli.demo.process.Ports;
import io.sluice.core.guard.ErrorRate;
import java.nio.file.Path;
import java.time.Duration;

/**
 * What one demo shall be.
 *
 * @param startedAt when it was started, as names of files and releases have it
 * @param rounds how many releases are made one after the other
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
        int rounds,
        boolean once,
        DemoFault fault,
        Kill kill,
        Duration hold,
        int visitsPerSecond,
        Ports ports,
        Path directory) {
    /** The largest share of the new version's requests that may fail. */
    static final ErrorRate MAX_ERROR_RATE = ErrorRate.parse("2%");

    /** The hard limit on the new version's P99. */
    static final Duration MAX_P99 = Duration.ofSeconds(5);

    /** How much slower than the stable version the new one may be. */
    static final Duration SLOWDOWN = Duration.ofMillis(300);

    private static final Duration MOST_FOR_STABLE = Duration.ofMillis(150);

    /** From where on an answer is slow. Within bounds: a version that is half a second slower must be found anywhere. */
    static Duration slowerThan(Duration stableP99) {
        Duration usual = stableP99.compareTo(MOST_FOR_STABLE) < 0 ? stableP99 : MOST_FOR_STABLE;
        return Duration.ofMillis(usual.plus(SLOWDOWN).toMillis());
    }

    /** How the release must end for the demo to have kept its promise. */
    String promisedPhase() {
        return fault.isNone() && kill != Kill.CANARY ? "completed" : "aborted";
    }
}
