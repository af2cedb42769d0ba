package io.sluice.server.migrations;

import io.sluice.server.TestDatabase;

class MigrationStoreTest extends MigrationStoreContract {
    @Override
    TestDatabase database() {
        return TestDatabase.create();
    }
}
