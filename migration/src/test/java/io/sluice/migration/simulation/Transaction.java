package io.sluice.migration.simulation;

import io.sluice.migration.simulation.Database.Lock;
import io.sluice.migration.simulation.Row.Id;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** One transaction on a connection of its own. Every statement is a step, and so is the commit. */
final class Transaction {
    private static final Duration FOR_EVER = Duration.ofNanos(Long.MAX_VALUE);
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(60);
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(1);

    private final Database database;
    private final Schedule schedule;
    private final Map<Id, Row> changes = new LinkedHashMap<>();
    private final Set<Id> locked = new HashSet<>();
    private final List<Effect> effects = new ArrayList<>(1);
    private boolean open = true;
    private long statements;
    /** For how long it may stand still before the database ends it. */
    private Duration idleLimit = FOR_EVER;

    private long admittedAt = -1;

    Transaction(Database database, Schedule schedule) {
        this.database = database;
        this.schedule = schedule;
    }

    // ---- Statements

    /** {@code SET LOCAL idle_in_transaction_session_timeout}, in the round trip of another statement. */
    void limit(Duration idle) {
        idleLimit = idle;
    }

    /** A read without a lock. */
    @Nullable
    Row select(String what, Id id) {
        statement(what, id);
        return seen(id);
    }

    /**
     * Locks a row. What it holds is read by a statement of its own.
     *
     * @return false when others still held it after that time
     */
    boolean lock(String what, Id id, Lock lock, Duration limit) {
        statement(what, id);
        return wait(what, id, lock, limit);
    }

    void lock(String what, Id id, Lock lock) {
        lock(what, id, lock, FOR_EVER);
    }

    /** Inserts a row unless there is one; waits for others who are about to. */
    boolean insert(String what, Id id, Row row) {
        statement(what, id);
        if (database.committed(id) != null) {
            return false;
        }
        if (changes.containsKey(id)) {
            return false;
        }
        wait(what, id, Lock.UPDATE, FOR_EVER);
        if (database.committed(id) != null) {
            // Somebody else was first; an INSERT that does nothing locks nothing.
            locked.remove(id);
            database.free(this, List.of(id));
            return false;
        }
        changes.put(id, row);
        return true;
    }

    /** Changes a row that is there, in view of what was committed when the lock was got. */
    <R extends Row> @Nullable R update(String what, Id id, Class<R> type, UnaryOperator<R> change) {
        statement(what, id);
        if (seen(id) == null) {
            return null;
        }
        wait(what, id, Lock.NO_KEY_UPDATE, FOR_EVER);
        Row before = seen(id);
        if (before == null) {
            return null;
        }
        R after = change.apply(type.cast(before));
        if (!after.equals(before)) {
            changes.put(id, after);
        }
        return after;
    }

    /** Writes a row whatever there was, within a statement that has begun. */
    void put(Id id, Row row) {
        changes.put(id, row);
    }

    /** All rows of a table that belong to a key, by their ids. */
    <R extends Row> Map<String, R> all(String what, Row.Table table, String key, Class<R> type) {
        statement(what, new Id(table, key, ""));
        return seen(table, key, type);
    }

    /** The same without a statement: part of one that has begun. */
    <R extends Row> Map<String, R> seen(Row.Table table, String key, Class<R> type) {
        Map<String, R> found = Database.of(database.committed(), table, key, type);
        found.putAll(Database.of(changes, table, key, type));
        return found;
    }

    /** What this transaction sees now, without a statement. */
    @Nullable
    Row seen(Id id) {
        Row own = changes.get(id);
        return own == null ? database.committed(id) : own;
    }

    private void statement(String what, Id id) {
        schedule.step(what);
        requireOpen(what, false);
        statements++;
        schedule.note(() -> what + " " + id.key() + (id.id().isEmpty() ? "" : " " + id.id()));
    }

    private boolean wait(String what, Id id, Lock lock, Duration limit) {
        if (!database.isFree(id, lock, this)) {
            schedule.count("waited at " + what);
            schedule.note(() -> "waits at " + what + " " + id.key());
            boolean free = schedule.await(() -> !open || database.isFree(id, lock, this), limit);
            requireOpen(what, false);
            if (!free) {
                return false;
            }
        }
        locked.add(id);
        database.take(id, lock, this);
        return true;
    }

    private void requireOpen(String what, boolean atCommit) {
        if (!open) {
            schedule.current().in(null);
            throw new DatabaseException("connection closed at: " + what, atCommit);
        }
    }

    // ---- Its end

    /**
     * Ends it.
     *
     * @throws DatabaseException when the answer did not come: it may have been committed, or not, or will be
     */
    void commit(String what) {
        schedule.step(what);
        requireOpen(what, true);
        Faults faults = schedule.faults();
        if (schedule.strikes(faults.answerLost())) {
            boolean applied = schedule.random().nextBoolean();
            schedule.count(applied ? "commit applied, answer lost" : "commit lost");
            schedule.note(() -> what + (applied ? ": committed, answer lost" : ": lost on the way"));
            finish(applied);
            schedule.sleep(ANSWER_LIMIT);
            throw new DatabaseException("no answer to: " + what, true);
        }
        if (schedule.strikes(faults.late())) {
            lateCommit(what);
        }
        schedule.note(() -> what + ": committed");
        finish(true);
        // The process may die with the answer in its hands.
        schedule.step("after " + what);
    }

    private void lateCommit(String what) {
        Duration delay = Duration.ofMillis(schedule.random().nextInt(15_000));
        schedule.note(() -> what + ": takes " + delay.toMillis() + " ms to arrive");
        schedule.count("commit late");
        schedule.current().in(null);
        standStill(delay);
        schedule.later(delay, () -> {
            if (open) {
                schedule.note(() -> what + ": committed late");
                finish(true);
            }
        });
        schedule.sleep(ANSWER_LIMIT);
        throw new DatabaseException("no answer to: " + what, true);
    }

    /** Ends it and nothing has happened, unless its commit was sent or its process is gone. Never fails. */
    void rollback() {
        Schedule.Actor actor = schedule.current();
        if (actor.transaction() == this) {
            end();
            actor.in(null);
        }
    }

    /** The database rolls it back: its client is gone, or has stood still for too long. */
    void end() {
        if (open) {
            open = false;
            database.free(this, locked);
        }
    }

    private void finish(boolean commit) {
        Schedule.Actor actor = schedule.current();
        if (actor.transaction() == this) {
            actor.in(null);
        }
        open = false;
        try {
            if (commit) {
                database.apply(this, changes);
            }
        } catch (Violation found) {
            throw schedule.fail(found);
        } finally {
            database.free(this, locked);
        }
    }

    /** Its client sends nothing for that long: the database may end it meanwhile. */
    void standStill(Duration time) {
        if (time.compareTo(idleLimit) > 0) {
            long seen = statements;
            schedule.later(idleLimit, () -> {
                if (open && statements == seen) {
                    schedule.count("transaction ended by the limit");
                    end();
                }
            });
        }
    }

    /** Its client is gone. When its machine is gone as well, the database learns it only by the limit. */
    void lose(boolean isNoticed) {
        if (isNoticed) {
            schedule.later(Duration.ZERO, this::end);
        } else {
            // Keep-alive ends what no limit ends.
            schedule.later(idleLimit.compareTo(KEEP_ALIVE) < 0 ? idleLimit : KEEP_ALIVE, this::end);
        }
    }

    // ---- What it is about, for the invariants

    /** What a side has done within it. */
    void did(Effect effect) {
        effects.add(effect);
    }

    List<Effect> effects() {
        return effects;
    }

    Map<Id, Row> changes() {
        return changes;
    }

    /** A fence has let it pass, at this step of the run. */
    void admitted(long step) {
        admittedAt = step;
    }

    long admittedAt() {
        return admittedAt;
    }
}
