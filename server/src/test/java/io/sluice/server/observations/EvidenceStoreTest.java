package io.sluice.server.observations;

import io.sluice.server.TestDatabase;

/** Evidence in the embedded database. */
class EvidenceStoreTest extends EvidenceStoreContract {
    @Override
    TestDatabase database() {
        return TestDatabase.create();
    }
}
