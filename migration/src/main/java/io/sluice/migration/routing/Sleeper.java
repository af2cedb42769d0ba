package io.sluice.migration.routing;

import java.time.Duration;

/** How a router pauses while a key is being moved. */
@FunctionalInterface
public interface Sleeper {
    /** Really sleeps. */
    Sleeper THREAD = duration -> Thread.sleep(duration.toMillis(), duration.toNanosPart() % 1_000_000);

    void sleep(Duration duration) throws InterruptedException;
}
