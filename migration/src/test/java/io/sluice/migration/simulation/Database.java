package io.sluice.migration.simulation;

import io.sluice.migration.simulation.Row.Id;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One PostgreSQL at READ COMMITTED, as far as the move of a key needs it: each statement sees what was committed before it
 * and its own transaction's changes; row locks of three strengths, held until the transaction ends.
 */
final class Database {
    /** How strongly a row is held. */
    enum Lock {
        /** {@code FOR KEY SHARE}: lets others change the row, but not lock all of it. */
        KEY_SHARE,
        /** What an UPDATE of columns that are no key takes. */
        NO_KEY_UPDATE,
        /** {@code FOR UPDATE}. */
        UPDATE;

        boolean conflictsWith(Lock other) {
            return this == UPDATE || other == UPDATE || (this == NO_KEY_UPDATE && other == NO_KEY_UPDATE);
        }
    }

    record Held(Transaction by, Lock lock) {}

    private final Schedule schedule;
    private final Consumer<Transaction> beforeCommit;
    private final Consumer<Transaction> afterCommit;
    private final Map<Id, Row> rows = new LinkedHashMap<>();
    private final Map<Id, List<Held>> locks = new HashMap<>();

    /**
     * @param beforeCommit sees each transaction that changes something, before others see it
     * @param afterCommit sees it when others do
     */
    Database(Schedule schedule, Consumer<Transaction> beforeCommit, Consumer<Transaction> afterCommit) {
        this.schedule = schedule;
        this.beforeCommit = beforeCommit;
        this.afterCommit = afterCommit;
    }

    /** Begins a transaction of the actor that has the baton. */
    Transaction begin() {
        Transaction transaction = new Transaction(this, schedule);
        schedule.current().in(transaction);
        return transaction;
    }

    @Nullable
    Row committed(Id id) {
        return rows.get(id);
    }

    Map<Id, Row> committed() {
        return rows;
    }

    /** The rows of a table that belong to a key, by their ids. */
    static <R extends Row> Map<String, R> of(Map<Id, Row> rows, Row.Table table, String key, Class<R> type) {
        Map<String, R> found = new LinkedHashMap<>();
        rows.forEach((id, row) -> {
            if (id.table() == table && id.key().equals(key)) {
                found.put(id.id(), type.cast(row));
            }
        });
        return found;
    }

    /** Fills a table before anything happens. */
    void put(Id id, Row row) {
        rows.put(id, row);
    }

    boolean isFree(Id id, Lock lock, Transaction of) {
        for (Held held : locks.getOrDefault(id, List.of())) {
            if (held.by() != of && held.lock().conflictsWith(lock)) {
                return false;
            }
        }
        return true;
    }

    void take(Id id, Lock lock, Transaction by) {
        locks.computeIfAbsent(id, any -> new ArrayList<>(2)).add(new Held(by, lock));
    }

    void apply(Transaction transaction, Map<Id, Row> changes) {
        if (!changes.isEmpty()) {
            beforeCommit.accept(transaction);
            rows.putAll(changes);
            afterCommit.accept(transaction);
        }
    }

    void free(Transaction of, Iterable<Id> ids) {
        for (Id id : ids) {
            List<Held> holders = locks.get(id);
            if (holders != null) {
                holders.removeIf(held -> held.by() == of);
            }
        }
    }
}
