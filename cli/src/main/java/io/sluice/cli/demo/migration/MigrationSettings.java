package io.sluice.cli.demo.migration;

import io.sluice.cli.demo.process.Ports;
import java.nio.file.Path;
import java.time.Duration;

/**
 * What one demo of a migration shall be.
 *
 * @param once whether it ends by itself after the report
 * @param skus how many SKUs are moved
 * @param hold for how long each percentage holds at least
 * @param requestsPerSecond how many requests the customers send
 * @param database where both ledgers are
 * @param ports where its processes answer
 * @param directory where everything that it writes goes
 */
public record MigrationSettings(
        boolean once,
        int skus,
        Duration hold,
        int requestsPerSecond,
        DatabaseAccess database,
        Ports ports,
        Path directory) {
    /** How much of each SKU there is; little, so that some are sold out. */
    static final int STOCK_OF_EACH = 20;

    /** The percentages, after 0. */
    static final int[] PERCENTS = {1, 10, 30, 60, 100};

    /** At which of them a router is killed while SKUs are moved there, and the new side is cut off when they are. */
    static final int TROUBLED_PERCENT = 60;

    private static final int SECONDS_FOR_ALL = 40;
    private static final int SLOWEST = 5;

    /** How many SKUs each of the two processes moves a second: slow enough to be seen and to be killed in the middle. */
    int pace() {
        return Math.max(SLOWEST, skus / SECONDS_FOR_ALL);
    }

    long stocked() {
        return (long) skus * STOCK_OF_EACH;
    }
}
