package io.sluice.server.migrations;

import io.sluice.server.TestDatabase;

/** Migrations in a real PostgreSQL. */
class PostgresMigrationStoreTest extends MigrationStoreContract {
    @Override
    TestDatabase database() {
        return TestDatabase.onPostgres();
    }
}
