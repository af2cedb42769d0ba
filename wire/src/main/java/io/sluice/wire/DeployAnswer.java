package io.sluice.wire;

import java.util.Locale;

/**
 * How far a webhook is with an order.
 *
 * @param note what is going on or went wrong, for people
 */
public record DeployAnswer(State state, String note) {
    /** In the words of the document. */
    public enum State {
        RUNNING,
        DONE,
        FAILED;

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
