package io.sluice.cli.demo.migration;

/**
 * A reservation, as its customer knows it. A change is a new value.
 *
 * @param id of the operation that reserves
 * @param reserved what came of it
 * @param released what came of its release
 */
record Sale(String id, String sku, int quantity, Known reserved, Known released) {
    /** What a customer knows of an operation. */
    enum Known {
        NOT_TRIED,
        UNDER_WAY,
        /** It was acknowledged. */
        DONE,
        /** It did not happen, and the answer said so. */
        NOTHING,
        /** No answer came, or one that leaves it open. */
        UNKNOWN
    }

    /** The id of the operation that releases. */
    String releaseId() {
        return "x-" + id;
    }

    Sale reserved(Known what) {
        return new Sale(id, sku, quantity, what, released);
    }

    Sale released(Known what) {
        return new Sale(id, sku, quantity, reserved, what);
    }

    boolean isUnknown() {
        return reserved == Known.UNKNOWN || released == Known.UNKNOWN;
    }

    /** Whether the customer was told that it has these, and has not given them back. */
    boolean isHeld() {
        return reserved == Known.DONE && released != Known.DONE;
    }
}
