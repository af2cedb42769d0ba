package io.sluice.migration.kit;

import io.sluice.migration.kit.MemoryStore.Hold;
import io.sluice.migration.kit.MemoryStore.Row;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A transaction of a {@link MemoryStore}. Used by one thread at a time; closing it without a commit leaves nothing.
 * Every method throws an {@link IllegalStateException} once it has ended, except {@link #close}.
 */
public final class MemoryTransaction implements AutoCloseable {
    private final MemoryStore store;
    private final Map<Row, Optional<Object>> changes = new LinkedHashMap<>();
    private boolean isOver;

    MemoryTransaction(MemoryStore store) {
        this.store = store;
    }

    /** The row as this transaction has changed it, or else as it was committed last. Holds nothing. */
    public <V> Optional<V> get(MemoryTable<V> table, String name) {
        requireOpen();
        Optional<Object> changed = changes.get(new Row(table, name));
        if (changed != null) {
            @SuppressWarnings("unchecked") // put() took it for this table
            Optional<V> own = (Optional<V>) changed;
            return own;
        }
        return Optional.ofNullable(table.rows().get(name));
    }

    /** Changes a row, and holds it like {@link Hold#CHANGE}. */
    public <V> void put(MemoryTable<V> table, String name, V row) {
        hold(table, name, Hold.CHANGE);
        changes.put(new Row(table, name), Optional.of(row));
    }

    /** Removes a row, and holds it like {@link Hold#CHANGE}. */
    public void remove(MemoryTable<?> table, String name) {
        hold(table, name, Hold.CHANGE);
        changes.put(new Row(table, name), Optional.empty());
    }

    /**
     * Holds a row until the transaction ends; whoever reads it in order to change it holds it first.
     *
     * @throws IllegalStateException when it was not free within {@link MemoryStore#LONGEST_WAIT}, or the thread was
     *     interrupted
     */
    public void hold(MemoryTable<?> table, String name, Hold hold) {
        if (!hold(table, name, hold, MemoryStore.LONGEST_WAIT)) {
            throw new IllegalStateException("row " + name
                    + " could not be held: a deadlock, a transaction that was not closed, or an interrupt");
        }
    }

    /** Holds a row until the transaction ends, if it gets free in time. */
    public boolean hold(MemoryTable<?> table, String name, Hold hold, Duration limit) {
        requireOpen();
        return store.hold(this, new Row(table, name), hold, limit);
    }

    /** Makes every change visible, all at once for whoever holds the rows, and lets go of the rows. */
    public void commit() {
        requireOpen();
        isOver = true;
        store.end(this, () -> changes.forEach(MemoryTransaction::apply));
    }

    /** Drops every change, if it was not committed. */
    @Override
    public void close() {
        if (!isOver) {
            isOver = true;
            store.end(this, () -> {});
        }
    }

    private void requireOpen() {
        if (isOver) {
            throw new IllegalStateException("the transaction has ended");
        }
    }

    private static void apply(Row row, Optional<Object> value) {
        @SuppressWarnings("unchecked") // put() took it for this table
        Map<String, Object> rows = (Map<String, Object>) row.table().rows();
        value.ifPresentOrElse(present -> rows.put(row.name(), present), () -> rows.remove(row.name()));
    }
}
