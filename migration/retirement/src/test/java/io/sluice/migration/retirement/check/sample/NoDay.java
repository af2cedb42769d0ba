package io.sluice.migration.retirement.check.sample;

import io.sluice.migration.retirement.Retire;

public class NoDay {
    @Retire(migration = "inventory", after = "2027-02-30")
    void never() {}

    @Retire(migration = "inventory", after = "")
    void nothing() {}
}
