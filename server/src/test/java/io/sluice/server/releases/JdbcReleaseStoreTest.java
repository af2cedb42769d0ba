package io.sluice.server.releases;

import io.sluice.server.TestDatabase;

/** Releases in the embedded database. */
class JdbcReleaseStoreTest extends ReleaseStoreContract {
    @Override
    TestDatabase database() {
        return TestDatabase.create();
    }
}
