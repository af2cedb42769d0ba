package io.sluice.server.channels;

import io.sluice.server.TestDatabase;

class JdbcChannelStoreTest extends JdbcChannelStoreContract {
    @Override
    TestDatabase database() {
        return TestDatabase.create();
    }
}
