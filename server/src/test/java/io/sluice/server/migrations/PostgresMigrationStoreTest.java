package io.sluice.server.migrations;

import io.sluice.server.TestDatabase;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Migrations in a real PostgreSQL. */
class PostgresMigrationStoreTest extends MigrationStoreContract {
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
