package io.sluice.migration.ledger;

import io.sluice.core.problem.RefusedException;
import io.sluice.migration.owner.Amounts;
import io.sluice.migration.plan.Keys;

/** What one ledger says of one key. */
public record Entry(String key, Amounts amounts) {
    /** @throws RefusedException for what can't be a key */
    public Entry {
        Keys.require(key);
    }
}
