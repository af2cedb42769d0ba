package io.sluice.migration.ledger;

import io.sluice.migration.owner.Amounts;
import io.sluice.migration.owner.Owned;
import io.sluice.migration.plan.Side;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One key of both ledgers.
 *
 * @param owned whose it is
 * @param truth what its owner says; null when the owner's ledger does not have it
 * @param other what lies at the other side, where it counts for nothing; null when there is none
 * @param handed what lay there after the last copy; {@link Amounts#NONE} if there was none, or it did not say
 * @param findings what is wrong with it
 */
public record KeyReport(
        Owned owned, @Nullable Amounts truth, @Nullable Amounts other, Amounts handed, List<Finding> findings) {
    public KeyReport {
        findings = List.copyOf(findings);
    }

    public String key() {
        return owned.key();
    }

    /** Whether a side's ledger has it, owner or not. */
    public boolean isIn(Side side) {
        return (side == owned.side() ? truth : other) != null;
    }
}
