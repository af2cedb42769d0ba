package io.sluice.migration.simulation;

import io.sluice.migration.branch.Grant;
import io.sluice.migration.plan.Side;

/**
 * What a write does to a key, as the side says that it does it.
 *
 * @param reservation the operation that reserved what is released; empty otherwise
 */
record Effect(Kind kind, Side side, Grant grant, String operation, int quantity, String reservation) {
    enum Kind {
        RESERVE,
        RELEASE,
        /** The operation was answered with no. */
        REFUSE,
        /** The operation shall never happen. */
        CANCEL
    }
}
