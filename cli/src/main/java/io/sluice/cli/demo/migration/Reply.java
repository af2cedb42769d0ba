package io.sluice.cli.demo.migration;

import io.sluice.cli.demo.migration.Sale.Known;

/**
 * How a request to a router ended.
 *
 * @param text what the router said; empty when it said nothing
 * @param nanos how long it took
 */
record Reply(Kind kind, String text, long nanos) {
    enum Kind {
        DONE,
        /** The inventory says no: there is not enough. */
        NO,
        /** It said that nothing has happened, or could not be reached at all. */
        NOTHING,
        /** The connection broke, it took too long, or the router does not know. */
        UNKNOWN
    }

    Known known() {
        return switch (kind) {
            case DONE -> Known.DONE;
            case NO, NOTHING -> Known.NOTHING;
            case UNKNOWN -> Known.UNKNOWN;
        };
    }
}
