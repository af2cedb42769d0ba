package io.sluice.migration.ledger;

import io.sluice.migration.owner.Amounts;
import io.sluice.migration.owner.Owned;

/**
 * What the database says of a key's owner.
 *
 * @param handed what the side that does not own the key had after the last copy, by a move or a mirroring;
 *     {@link Amounts#NONE} if there was none, or it did not say
 */
public record OwnerRow(Owned owned, Amounts handed) {
    static OwnerRow missing(String key) {
        return new OwnerRow(Owned.neverMoved(key), Amounts.NONE);
    }
}
