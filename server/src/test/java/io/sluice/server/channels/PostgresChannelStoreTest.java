package io.sluice.server.channels;

import io.sluice.server.TestDatabase;

/** Releases of channels in a real PostgreSQL. */
class PostgresChannelStoreTest extends JdbcChannelStoreContract {
    @Override
    TestDatabase database() {
        return TestDatabase.onPostgres();
    }
}
