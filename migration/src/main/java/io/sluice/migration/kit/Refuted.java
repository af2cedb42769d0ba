package io.sluice.migration.kit;

/** A promise was seen not to be kept. */
final class Refuted extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String how;

    Refuted(String how) {
        super(how);
        this.how = how;
    }

    String how() {
        return how;
    }
}
