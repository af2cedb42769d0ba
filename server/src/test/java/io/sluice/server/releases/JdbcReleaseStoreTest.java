package io.sluice.server.releases;

import io.sluice.server.TestDatabase;

/** Releases in the embedded database. */
class JdbcReleaseStoreTest extends JdbcReleaseStoreContract {
    @Override
    TestDatabase database() {
        return TestDatabase.create();
    }
}
