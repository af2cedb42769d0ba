package io.sluice.bench.moves;

import com.zaxxer.hikari.HikariDataSource;
import io.sluice.demo.inventory.Inventory;
import io.sluice.demo.inventory.InventoryCopy;
import io.sluice.demo.inventory.InventoryMigration;
import io.sluice.demo.inventory.InventoryService;
import io.sluice.demo.inventory.InventoryTables;
import io.sluice.demo.inventory.LegacyInventory;
import io.sluice.demo.inventory.ReservedInventory;
import io.sluice.demo.inventory.proof.Customers;
import io.sluice.migration.branch.NothingHappenedException;
import io.sluice.migration.move.KeySource;
import io.sluice.migration.move.MoveListener;
import io.sluice.migration.move.MoveStep;
import io.sluice.migration.move.Mover;
import io.sluice.migration.move.Moves;
import io.sluice.migration.owner.JdbcOwners;
import io.sluice.migration.owner.Owned;
import io.sluice.migration.plan.JdbcDirectives;
import io.sluice.migration.routing.Router;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A router in a process of its own, with customers, and with a mover beside it. It says {@code ready}, how far it is every half
 * second, and {@code ended} after its input has said {@code stop}; it dies with whoever holds its input.
 */
final class RouterMain {
    /** The end of the name by which the database knows the sessions of the customers' requests. */
    static final String CALLERS = "-callers";

    private static final int MOVERS = 4;
    private static final int SPARE_CONNECTIONS = 2;

    private RouterMain() {}

    /**
     * @param arguments the port of the database, its name, a dot and how often it was begun, how many routers there are, how many
     *     SKUs, the file for its journal, how many customers, their pause in ms, the seed
     */
    public static void main(String[] arguments) throws Exception {
        CountDownLatch stop = stopAsToldOrDie();
        int port = Integer.parseInt(arguments[0]);
        String name = arguments[1];
        int number = Integer.parseInt(name.split("\\.")[0]);
        int routers = Integer.parseInt(arguments[2]);
        int skus = Integer.parseInt(arguments[3]);
        int customers = Integer.parseInt(arguments[5]);
        ThreadLocal<NotedInventory.Refusals> refusals = ThreadLocal.withInitial(NotedInventory.Refusals::new);
        AtomicReference<@Nullable String> moving = new AtomicReference<>();
        AtomicReference<List<String>> stuck = new AtomicReference<>(List.of());
        Customers.Habits habits = new Customers.Habits(
                customers,
                random -> sku(random, moving.get(), stuck.get(), skus),
                name,
                Duration.ofMillis(Long.parseLong(arguments[6])),
                Long.parseLong(arguments[7]));
        try (HikariDataSource callers = pool(port, name + CALLERS, customers + SPARE_CONNECTIONS);
                HikariDataSource movers = pool(port, name + "-moves", MOVERS + SPARE_CONNECTIONS);
                JdbcDirectives directives = new JdbcDirectives(movers, InventoryTables.MIGRATION);
                Moves moves = moves(movers, directives, moving, number * skus / routers);
                Journal journal = new Journal(Path.of(arguments[4]), refusals)) {
            InventoryService service = service(callers, directives, refusals);
            moves.start();
            try (Customers all = Customers.begin(List.of(service), habits, journal)) {
                say("ready");
                JdbcOwners owners = new JdbcOwners(movers, InventoryTables.MIGRATION);
                while (!stop.await(500, TimeUnit.MILLISECONDS)) {
                    stuck.set(stuck(owners));
                    say("written " + journal.happened());
                    all.surprises().forEach(each -> say("surprise " + each));
                }
            }
        }
        say("ended");
    }

    /** One in four is the one that this process moves just now, one in eight one whose move stands still; the others are any. */
    private static String sku(Random random, @Nullable String moving, List<String> stuck, int skus) {
        if (!stuck.isEmpty() && random.nextInt(8) == 0) {
            return stuck.get(random.nextInt(stuck.size()));
        }
        return moving != null && random.nextInt(4) == 0
                ? moving
                : String.format(StockDatabase.FORMAT, random.nextInt(skus));
    }

    private static List<String> stuck(JdbcOwners owners) {
        try {
            return owners.frozenFor(Duration.ofMillis(500), 20).stream()
                    .map(Owned::key)
                    .toList();
        } catch (NothingHappenedException notNow) {
            return List.of();
        }
    }

    private static HikariDataSource pool(int port, String name, int connections) {
        return InventoryMigration.pool(StockDatabase.url(port, "router-" + name), connections);
    }

    private static InventoryService service(
            DataSource pool, JdbcDirectives directives, ThreadLocal<NotedInventory.Refusals> refusals) {
        JdbcOwners owners = new JdbcOwners(pool, InventoryTables.MIGRATION);
        return new InventoryService(Router.<Inventory>builder()
                .legacy(new NotedInventory(
                        new LegacyInventory(pool, owners, InventoryMigration.ANSWER_WITHIN), refusals))
                .newer(new NotedInventory(
                        new ReservedInventory(pool, owners, InventoryMigration.ANSWER_WITHIN), refusals))
                .plans(directives)
                .handBack(new Mover<>(owners, new InventoryCopy()))
                .build());
    }

    private static Moves moves(
            DataSource pool, JdbcDirectives directives, AtomicReference<@Nullable String> moving, int first) {
        JdbcOwners owners = new JdbcOwners(pool, InventoryTables.MIGRATION);
        MoveListener noting = new MoveListener() {
            @Override
            public void before(MoveStep step, String key) {
                if (step == MoveStep.FREEZE) {
                    moving.set(key);
                }
            }
        };
        Mover<Connection> mover = new Mover<>(owners, new InventoryCopy(), Mover.DRAIN_LIMIT, noting, System::nanoTime);
        Moves.Settings settings = new Moves.Settings(2_000, MOVERS, Duration.ofSeconds(5), Duration.ofSeconds(2));
        return new Moves(
                owners,
                mover,
                keys(pool, String.format(StockDatabase.FORMAT, first)),
                directives::directive,
                settings,
                System::nanoTime);
    }

    /** All of them, each process from another one on, so that they seldom meet at the same key. */
    private static KeySource keys(DataSource pool, String first) {
        return (last, limit) -> {
            boolean isBehindEnd = !last.isEmpty() && last.compareTo(first) < 0;
            List<String> page = isBehindEnd ? List.of() : page(pool, "sku >= ? AND sku > ?", first, last, limit);
            return page.isEmpty() ? page(pool, "sku < ? AND sku > ?", first, isBehindEnd ? last : "", limit) : page;
        };
    }

    private static List<String> page(DataSource pool, String where, String first, String last, int limit) {
        List<String> page = new ArrayList<>();
        try (Connection connection = pool.getConnection();
                PreparedStatement query = connection.prepareStatement(
                        "SELECT sku FROM legacy_inventory WHERE " + where + " ORDER BY sku LIMIT ?")) {
            query.setString(1, first);
            query.setString(2, last);
            query.setInt(3, limit);
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    page.add(rows.getString(1));
                }
            }
        } catch (SQLException failed) {
            throw new IllegalStateException("the keys can't be read", failed);
        }
        return page;
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    private static CountDownLatch stopAsToldOrDie() {
        CountDownLatch stop = new CountDownLatch(1);
        Thread watch = new Thread(() -> {
            try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                    if (line.equals("stop")) {
                        stop.countDown();
                    }
                }
            } catch (IOException gone) {
                // As at the end.
            }
            Runtime.getRuntime().halt(1);
        });
        watch.setDaemon(true);
        watch.start();
        return stop;
    }
}
