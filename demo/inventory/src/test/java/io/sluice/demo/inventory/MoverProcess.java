package io.sluice.demo.inventory;

import com.zaxxer.hikari.HikariDataSource;
import io.sluice.migration.move.MoveListener;
import io.sluice.migration.move.MoveStep;
import io.sluice.migration.move.Mover;
import io.sluice.migration.owner.Amounts;
import io.sluice.migration.owner.JdbcOwners;
import io.sluice.migration.owner.KeyCopy;
import io.sluice.migration.owner.Owned;
import io.sluice.migration.plan.Side;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A mover in a process of its own, so that it can be killed. */
final class MoverProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader out;

    private MoverProcess(Process process) {
        this.process = process;
        this.out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /**
     * Moves all SKUs to new, one after the other.
     *
     * @param stop in the middle of which step of the last SKU it stops and waits to be killed: {@code FREEZE}, {@code DRAIN} for
     *     behind it, {@code HAND_OVER} for within its transaction, {@code NONE} to go on to the end
     */
    static MoverProcess start(TestDatabase database, String format, int from, int to, long epoch, String stop)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                MoverProcess.class.getName(),
                TestDatabase.url(database.port()) + "?user=postgres",
                format,
                String.valueOf(from),
                String.valueOf(to),
                String.valueOf(epoch),
                stop));
        return new MoverProcess(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** Waits until it says so. */
    void await(String line) throws IOException {
        List<String> seen = new ArrayList<>();
        for (String next = out.readLine(); next != null; next = out.readLine()) {
            if (next.equals(line)) {
                return;
            }
            seen.add(next);
        }
        throw new IllegalStateException("the mover ended before it said " + line + ": " + seen);
    }

    /** As by kill -9. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            throw new IllegalStateException("the mover did not end");
        }
    }

    @Override
    public void close() throws InterruptedException {
        kill();
    }

    public static void main(String[] arguments) {
        endWithParent();
        String format = arguments[1];
        int last = Integer.parseInt(arguments[3]) - 1;
        String stopAt = arguments[5];
        String lastSku = String.format(format, last);
        try (HikariDataSource pool = InventoryMigration.pool(arguments[0], 2)) {
            KeyCopy<Connection> copy = new InventoryCopy();
            KeyCopy<Connection> stopping = (transaction, key, from, to) -> {
                Amounts amounts = copy.copy(transaction, key, from, to);
                if (key.equals(lastSku) && stopAt.equals("HAND_OVER")) {
                    stop();
                }
                return amounts;
            };
            MoveListener listener = new MoveListener() {
                @Override
                public void after(MoveStep step, Owned now) {
                    if (now.key().equals(lastSku) && step.name().equals(stopAt) && step != MoveStep.HAND_OVER) {
                        stop();
                    }
                }
            };
            Mover<Connection> mover = new Mover<>(
                    new JdbcOwners(pool, InventoryTables.MIGRATION),
                    stopping,
                    Duration.ofSeconds(5),
                    listener,
                    System::nanoTime);
            for (int i = Integer.parseInt(arguments[2]); i <= last; i++) {
                mover.move(String.format(format, i), Side.NEW, Long.parseLong(arguments[4]));
            }
        }
        say("done");
    }

    private static void stop() {
        say("stopped");
        while (true) {
            LockSupport.park();
        }
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    /** Whoever started this holds the other end of its input. */
    private static void endWithParent() {
        Thread watch = new Thread(() -> {
            try {
                while (System.in.read() >= 0) {
                    // Nobody writes.
                }
            } catch (IOException gone) {
                // As at the end.
            }
            Runtime.getRuntime().halt(1);
        });
        watch.setDaemon(true);
        watch.start();
    }
}
