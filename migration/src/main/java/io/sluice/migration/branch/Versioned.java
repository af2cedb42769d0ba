package io.sluice.migration.branch;

/**
 * What a side answers to a read, and at which version of the key.
 *
 * @param value the answer, compared by {@code equals}
 * @param version counts the key's writes and moves along with it, so that both sides give the same number for the same
 *     state
 */
public record Versioned<R>(R value, long version) {}
