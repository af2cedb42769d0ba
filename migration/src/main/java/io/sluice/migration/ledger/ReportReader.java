package io.sluice.migration.ledger;

import java.time.Instant;
import java.util.List;

/** Gets a report, while it is made. What it throws ends the report. */
public interface ReportReader {
    /**
     * Called once, before any key.
     *
     * @param at when the snapshot was taken, by the database's clock
     * @param names of all amounts, of both ledgers, sorted
     */
    default void begins(Instant at, List<String> names) {}

    /** Called for every key, in the order of their code points. */
    void key(KeyReport key);
}
