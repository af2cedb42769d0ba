package io.sluice.cli.guard;

import io.sluice.core.release.Stage;

/**
 * A stage that is not played.
 *
 * @param number from 1 on
 * @param stage as planned
 * @param needed canary requests that it must have all the same
 */
record Idle(int number, Stage stage, long needed) {
    /** Whether only those are on canary who were put there. */
    boolean isAllowlist() {
        return stage.percent().basisPoints() == 0;
    }
}
