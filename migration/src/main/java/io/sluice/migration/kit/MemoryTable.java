package io.sluice.migration.kit;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Rows by name, in memory. Read and changed through a {@link MemoryTransaction}; what {@link #committed()} shows is only
 * for assertions.
 *
 * @param <V> a row, immutable
 */
public final class MemoryTable<V> {
    private final ConcurrentSkipListMap<String, V> rows = new ConcurrentSkipListMap<>();

    /** A copy of what has been committed so far. While transactions end, it may show one of them half. */
    public SortedMap<String, V> committed() {
        return Collections.unmodifiableSortedMap(new TreeMap<>(rows));
    }

    ConcurrentSkipListMap<String, V> rows() {
        return rows;
    }
}
