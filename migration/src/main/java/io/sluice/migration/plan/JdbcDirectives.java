package io.sluice.migration.plan;

import io.sluice.core.problem.RefusedException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directive of one migration as a row of {@code sluice.migration}, in the database that holds both ledgers, looked up
 * again every second.
 *
 * <p>Every process works from memory and keeps the last good directive: when the database is away, when the row is gone,
 * older than what is known (a replica, a backup that was restored), or not a directive. The last three are logged, once
 * for each reason. Safe for use by many threads.
 */
public final class JdbcDirectives implements PlanSource, AutoCloseable {
    public static final Duration EVERY = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(JdbcDirectives.class);

    private static final String READ =
            "SELECT version, revision, new_percent, also_new, held_back, keys_per_second, paused"
                    + " FROM sluice.migration WHERE migration = ?";

    /** A plan never changes under one revision, since keys were moved by it. */
    private static final String PUT = "INSERT INTO sluice.migration AS known"
            + " (migration, version, revision, new_percent, also_new, held_back, keys_per_second, paused)"
            + " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (migration) DO UPDATE SET version = excluded.version,"
            + " revision = excluded.revision, new_percent = excluded.new_percent, also_new = excluded.also_new,"
            + " held_back = excluded.held_back, keys_per_second = excluded.keys_per_second, paused = excluded.paused"
            + " WHERE known.version < excluded.version AND (known.revision < excluded.revision"
            + " OR (known.revision, known.new_percent, known.also_new, known.held_back)"
            + " = (excluded.revision, excluded.new_percent, excluded.also_new, excluded.held_back))";

    private final DataSource dataSource;
    private final Plan start;
    private final AtomicReference<@Nullable Directive> known = new AtomicReference<>();
    private final AtomicReference<String> lastComplaint = new AtomicReference<>("");
    private final Object reading = new Object();
    private volatile long readsBegun;

    private final Future<?> polling;
    private final Runnable stopScheduler;

    /** Reads the directive, and again every second on a thread of its own. */
    public JdbcDirectives(DataSource dataSource, String migration) {
        this(dataSource, migration, EVERY, null);
    }

    /**
     * Reads the directive, and again so often on the given scheduler, which stays the caller's.
     *
     * @param dataSource gives connections of its own, none that take part in a transaction of the caller
     * @throws RefusedException for a name that no plan may have. Not when the database is away: then the plan is
     *     everything at legacy, and {@link #directive()} is empty, until it was read
     */
    public JdbcDirectives(
            DataSource dataSource, String migration, Duration every, @Nullable ScheduledExecutorService scheduler) {
        this.dataSource = dataSource;
        this.start = Plan.start(migration);
        refresh();
        ScheduledExecutorService polls = scheduler != null
                ? scheduler
                : Executors.newSingleThreadScheduledExecutor(work -> {
                    Thread thread = new Thread(work, "sluice-plan-" + migration);
                    thread.setDaemon(true);
                    return thread;
                });
        this.stopScheduler = scheduler != null ? () -> {} : polls::shutdownNow;
        this.polling =
                polls.scheduleWithFixedDelay(this::refresh, every.toNanos(), every.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** The plan of the last good directive; everything at legacy before there was one. */
    @Override
    public Plan current() {
        Directive directive = known.get();
        return directive == null ? start : directive.plan();
    }

    /** The last good directive; empty before there was one. Never blocks. Nothing is moved without one. */
    public Optional<Directive> directive() {
        return Optional.ofNullable(known.get());
    }

    /** {@inheritDoc} Threads that ask at once share a read that began after they asked. */
    @Override
    public Plan refresh() {
        long before = readsBegun;
        synchronized (reading) {
            if (readsBegun == before) {
                readsBegun = before + 1;
                readAndTake();
            }
        }
        return current();
    }

    /**
     * Stores a directive if it follows the stored one: a later version, and a later revision unless the plan is the
     * same. So of two who change the same version at once one is refused.
     *
     * @return whether it was stored; if not, {@link #directive()} is the one that was faster
     * @throws RefusedException for another migration's
     * @throws SQLException when the database is away; then it may have been stored or not, and {@link #refresh} tells
     */
    public boolean put(Directive next) throws SQLException {
        Plan plan = next.plan();
        if (!plan.migration().equals(start.migration())) {
            throw new RefusedException("migration", plan.migration(), "must be " + start.migration());
        }
        boolean isStored;
        try (Connection connection = dataSource.getConnection();
                PreparedStatement upsert = connection.prepareStatement(PUT)) {
            upsert.setString(1, plan.migration());
            upsert.setLong(2, next.version());
            upsert.setLong(3, plan.revision());
            upsert.setInt(4, plan.newPercent());
            upsert.setString(5, lines(plan.alsoNew()));
            upsert.setString(6, lines(plan.heldBack()));
            upsert.setInt(7, next.pace().keysPerSecond());
            upsert.setBoolean(8, next.pace().isPaused());
            isStored = upsert.executeUpdate() == 1;
            if (!connection.getAutoCommit()) {
                connection.commit();
            }
        }
        refresh();
        return isStored;
    }

    /** Looks nothing up any more; what is known stays. */
    @Override
    public void close() {
        polling.cancel(false);
        stopScheduler.run();
    }

    private void readAndTake() {
        try {
            read().ifPresentOrElse(this::take, () -> {
                if (known.get() != null) {
                    complain("its row is gone");
                }
            });
        } catch (RefusedException garbage) {
            complain(String.valueOf(garbage.getMessage()));
        } catch (SQLException away) {
            LOG.debug("The plan of migration {} could not be read", start.migration(), away);
        } catch (RuntimeException broken) {
            // A pool's own exceptions; the next poll has to come whatever happens.
            complain(broken.toString());
        }
    }

    private Optional<Directive> read() throws SQLException {
        try (Connection connection = dataSource.getConnection();
                PreparedStatement query = connection.prepareStatement(READ)) {
            query.setString(1, start.migration());
            Optional<Directive> found;
            try (ResultSet row = query.executeQuery()) {
                found = row.next() ? Optional.of(directive(row)) : Optional.empty();
            } finally {
                if (!connection.getAutoCommit()) {
                    connection.rollback();
                }
            }
            return found;
        }
    }

    private Directive directive(ResultSet row) throws SQLException {
        Plan plan = Plan.of(
                start.migration(),
                row.getLong("revision"),
                row.getInt("new_percent"),
                keys(row.getString("also_new")),
                keys(row.getString("held_back")));
        return new Directive(
                row.getLong("version"), plan, new Pace(row.getInt("keys_per_second"), row.getBoolean("paused")));
    }

    private void take(Directive read) {
        Directive now = known.get();
        if (now == null || follows(now, read)) {
            known.set(read);
            lastComplaint.set("");
        } else if (!now.equals(read)) {
            complain("version " + read.version() + " with revision "
                    + read.plan().revision() + " was read, but version " + now.version() + " with revision "
                    + now.plan().revision() + " is known");
        }
    }

    private static boolean follows(Directive now, Directive next) {
        return next.version() > now.version()
                && (next.plan().revision() > now.plan().revision()
                        || next.plan().equals(now.plan()));
    }

    private void complain(String reason) {
        if (!reason.equals(lastComplaint.getAndSet(reason))) {
            LOG.warn(
                    "The stored plan of migration {} is not taken, the last good one stays: {}",
                    start.migration(),
                    reason);
        }
    }

    private static String lines(Set<String> keys) {
        return String.join("\n", new TreeSet<>(keys));
    }

    private static List<String> keys(String lines) {
        return lines.isEmpty() ? List.of() : List.of(lines.split("\n", -1));
    }
}
