package io.sluice.migration.simulation;

import io.sluice.migration.owner.Owned;
import io.sluice.migration.plan.Side;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What the tables hold. Rows are values; a change is another row under the same {@link Id}. */
sealed interface Row {
    enum Table {
        OWNER,
        LEGACY_STOCK,
        LEGACY_OPERATION,
        NEW_STOCK,
        NEW_RESERVATION,
        NEW_OPERATION
    }

    /** @param id what tells rows of one key apart, empty where there is one */
    record Id(Table table, String key, String id) {}

    /** Who owns a key. */
    record Owner(Side side, long epoch, @Nullable Side movingTo, long since) implements Row {
        Owned owned(String key, long now) {
            return new Owned(key, side, epoch, movingTo, Duration.ofNanos(now - since));
        }
    }

    /** The old ledger's: what can still be sold. What is reserved follows from the operations. */
    record LegacyStock(int available, long version) implements Row {}

    /** The new ledger's: what is there, reserved or not. */
    record NewStock(int onHand, long version) implements Row {}

    /** The new ledger's reservations. */
    record Reservation(int quantity, boolean isOpen) implements Row {}

    /** What became of an operation, so that it happens once. Legacy also finds its reservations here. */
    record Operation(Answer answer, int quantity, boolean isReleased) implements Row {}

    enum Answer {
        /** Its transaction is still open. */
        UNDER_WAY,
        RESERVED,
        RELEASED,
        OUT_OF_STOCK,
        NOT_RESERVED,
        /** Somebody asked what became of it before it happened: it never will. */
        CANCELLED
    }
}
