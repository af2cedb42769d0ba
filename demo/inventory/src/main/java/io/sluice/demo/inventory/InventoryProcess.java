package io.sluice.demo.inventory;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.sluice.migration.evidence.EvidenceCounters;
import io.sluice.migration.move.Moves;
import io.sluice.migration.owner.JdbcOwners;
import io.sluice.migration.plan.Directive;
import io.sluice.migration.plan.JdbcDirectives;
import io.sluice.migration.retirement.Retire;
import io.sluice.migration.shadow.ShadowReads;
import io.sluice.wire.migration.MoveProgress;
import io.sluice.wire.migration.ReportedDifference;
import io.sluice.wire.remote.MigrationReporter;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The inventory as one process among several: it answers requests, routes them by its plan, moves keys, compares reads, counts,
 * and tells the control plane, which tells it what is wanted. What {@link ProcessSettings} names comes from the environment;
 * what it answers says {@link InventoryApi}.
 *
 * <p>It may be killed at any point: what it was about to do is finished by another, and started again it goes on by itself.
 */
@Retire(migration = InventoryTables.MIGRATION, after = InventoryTables.RETIRED_AFTER, part = "routing")
public final class InventoryProcess {
    /** The names of the SKUs that it stocks. */
    public static final String SKUS = "sku-%05d";

    private static final Logger LOG = LoggerFactory.getLogger(InventoryProcess.class);

    // 16 requests at once, 2 movers, 2 comparisons, of which each may mirror, the plan, the keys.
    private static final int CONNECTIONS = 24;
    private static final int HALF_OF_THE_READS = 5_000;
    private static final Moves.Settings MOVES =
            new Moves.Settings(500, 2, Duration.ofSeconds(3), Duration.ofSeconds(2));

    private InventoryProcess() {}

    /** Runs until the process is ended. */
    public static void main(String[] arguments) throws IOException, SQLException {
        // Small answers must not wait for the acknowledgement of the ones before.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        ProcessSettings settings = ProcessSettings.from(System.getenv());
        HikariDataSource pool = pool(settings);
        JdbcOwners.createTables(pool);
        InventoryTables.create(pool);
        if (settings.skus() > 0) {
            InventoryTables.stock(pool, SKUS, settings.skus(), settings.each());
        }
        run(settings, pool);
        LOG.info("{} answers", settings);
    }

    private static void run(ProcessSettings settings, HikariDataSource pool) throws IOException {
        Interruptible newPool = new Interruptible(pool);
        JdbcDirectives directives =
                new JdbcDirectives(pool, InventoryTables.MIGRATION, settings.lookEvery(), /* scheduler= */ null);
        InventoryMigration migration =
                new InventoryMigration(pool, newPool, directives, InventoryMigration.ANSWER_WITHIN);
        EvidenceCounters counters = new EvidenceCounters(InstantSource.system());
        ShadowReads<Inventory> shadow = ShadowReads.builder(migration.legacy(), migration.newer())
                .sample(HALF_OF_THE_READS)
                .mirror(sku -> migration.owners().mirror(sku, new InventoryCopy()))
                .tally(counters)
                .start();
        Moves moves = new Moves(
                migration.owners(),
                migration.mover(),
                new InventoryKeys(pool),
                directives::directive,
                MOVES,
                System::nanoTime);
        String reporter = reporter(settings);
        MigrationReporter.builder(settings.server(), directives, counters, reporter)
                .beat(settings.lookEvery())
                .directives(directive -> keep(directives, directive))
                .progress(() -> MoveProgress.of(moves.progress()))
                .differences(() -> differences(shadow, reporter))
                .start();
        moves.start();
        new InventoryApi(migration.service(counters, shadow), newPool, new Figures(reporter, directives, counters))
                .start(settings.port());
    }

    private static HikariDataSource pool(ProcessSettings settings) {
        HikariConfig config = InventoryMigration.poolConfig(settings.database(), CONNECTIONS);
        config.setUsername(settings.user());
        config.setPassword(settings.password());
        config.addDataSourceProperty("ApplicationName", settings.instance());
        return new HikariDataSource(config);
    }

    /** Another one after each start, since its counts begin at zero. */
    private static String reporter(ProcessSettings settings) {
        return settings.instance() + "@127.0.0.1:" + settings.port() + "-"
                + ProcessHandle.current().pid() + "-" + Instant.now().getEpochSecond();
    }

    /** The database is what all processes read. One that was slower than another has nothing to store, which is fine. */
    private static void keep(JdbcDirectives directives, Directive wanted) {
        try {
            directives.put(wanted);
        } catch (SQLException away) {
            throw new IllegalStateException("the directive could not be stored; it is handed over again", away);
        }
    }

    private static List<ReportedDifference> differences(ShadowReads<?> shadow, String reporter) {
        return shadow.differences().kept().stream()
                .map(each -> ReportedDifference.of(reporter, each))
                .toList();
    }
}
