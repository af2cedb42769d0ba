package io.sluice.server.observations;

import io.sluice.server.TestDatabase;

/** Evidence in a real PostgreSQL. */
class PostgresEvidenceStoreTest extends EvidenceStoreContract {
    @Override
    TestDatabase database() {
        return TestDatabase.onPostgres();
    }
}
