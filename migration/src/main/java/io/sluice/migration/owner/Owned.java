package io.sluice.migration.owner;

import io.sluice.migration.plan.Plan;
import io.sluice.migration.plan.Side;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Who owns a key, as its row said at one moment.
 *
 * @param key the key
 * @param side whose ledger holds the truth about it
 * @param epoch grows with every move, 0 for a key that never moved; a write that knows less is refused
 * @param movingTo where a move has begun to take it; then nobody writes it, and {@code side} still answers reads
 * @param age for how long the row has said so, by the database's clock
 */
public record Owned(
        String key, Side side, long epoch, @Nullable Side movingTo, Duration age) {
    /** A key without a row: it has always been legacy's. */
    public static Owned neverMoved(String key) {
        return new Owned(key, Side.LEGACY, 0, null, Duration.ZERO);
    }

    public boolean isFrozen() {
        return movingTo != null;
    }

    /** The revision of the plan under which it moved last; 0 if it never did. */
    public long planRevision() {
        return Plan.revisionOf(epoch);
    }
}
