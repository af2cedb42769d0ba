package io.sluice.server.channels;

import io.sluice.server.TestDatabase;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Releases of channels in a real PostgreSQL. */
class PostgresChannelStoreTest extends JdbcChannelStoreContract {
    private static EmbeddedPostgres postgres;

    @BeforeAll
    static void start() throws IOException {
        postgres = EmbeddedPostgres.builder().start();
    }

    @AfterAll
    static void stop() throws IOException {
        postgres.close();
    }

    @Override
    TestDatabase database() {
        return TestDatabase.emptied(postgres.getPostgresDatabase());
    }
}
