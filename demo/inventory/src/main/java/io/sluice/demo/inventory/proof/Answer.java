package io.sluice.demo.inventory.proof;

/** What a customer was told of an operation, for certain. */
public enum Answer {
    /** It has happened. */
    DONE,
    /** It never will, since there is not enough stock. */
    OUT_OF_STOCK,
    /** It never will, since nobody was there to do it in time. */
    NOT_NOW
}
