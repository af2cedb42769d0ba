package io.sluice.server.releases;

import io.sluice.server.TestDatabase;

/** Releases in a real PostgreSQL. */
class PostgresReleaseStoreTest extends JdbcReleaseStoreContract {
    @Override
    TestDatabase database() {
        return TestDatabase.onPostgres();
    }
}
