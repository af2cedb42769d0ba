package io.sluice.core.release;

import java.util.List;

class InMemoryReleaseStoreTest extends ReleaseStoreContract {
    @Override
    protected ReleaseStore open() {
        return new InMemoryReleaseStore();
    }

    @Override
    protected List<JournalEntry> journal(ReleaseStore of, String release) {
        return ((InMemoryReleaseStore) of).journal(release);
    }
}
