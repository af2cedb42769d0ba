package io.sluice.server.channels;

import io.sluice.server.TestDatabase;
import io.sluice.server.audit.Journal;
import io.sluice.server.leadership.Leadership;
import io.sluice.server.ledger.DiskSync;
import io.sluice.server.ledger.Ledger;
import io.sluice.server.ledger.Room;
import io.sluice.server.ledger.StepRecord;
import org.springframework.jdbc.support.MetaDataAccessException;

/** The store of channel releases over a database of a test. */
public final class ChannelStores {
    private ChannelStores() {}

    public static JdbcChannelStore of(TestDatabase database, Journal journal, StepRecord steps) {
        try {
            return new JdbcChannelStore(
                    database.jdbc(),
                    database.transaction(),
                    new ChannelTable(database.jdbc()),
                    journal,
                    new Ledger(database.jdbc()),
                    new Room(database.jdbc()),
                    steps,
                    new DiskSync(database.jdbc(), database.source()),
                    Leadership.alone());
        } catch (MetaDataAccessException failed) {
            throw new IllegalStateException("the database does not say what it is", failed);
        }
    }
}
