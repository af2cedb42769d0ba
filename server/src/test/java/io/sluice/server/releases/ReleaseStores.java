package io.sluice.server.releases;

import io.sluice.server.TestDatabase;
import io.sluice.server.audit.Journal;
import io.sluice.server.channels.JdbcChannelStore;
import io.sluice.server.leadership.Leadership;
import io.sluice.server.ledger.DiskSync;
import io.sluice.server.ledger.Ledger;
import io.sluice.server.ledger.Room;
import io.sluice.server.ledger.StepRecord;
import org.springframework.jdbc.support.MetaDataAccessException;

/** The store of canary releases over a database of a test. */
public final class ReleaseStores {
    private ReleaseStores() {}

    public static JdbcReleaseStore of(
            TestDatabase database, Journal journal, JdbcChannelStore channels, StepRecord steps) {
        try {
            return new JdbcReleaseStore(
                    database.jdbc(),
                    database.transaction(),
                    journal,
                    new Ledger(database.jdbc()),
                    new Room(database.jdbc()),
                    channels,
                    steps,
                    new DiskSync(database.jdbc(), database.source()),
                    Leadership.alone());
        } catch (MetaDataAccessException failed) {
            throw new IllegalStateException("the database does not say what it is", failed);
        }
    }
}
