package io.sluice.demo.inventory.proof;

import org.jspecify.annotations.Nullable;

/**
 * An operation that a customer asks for.
 *
 * @param id its id, never used again
 * @param sku whose stock it changes
 * @param quantity by how much, 1 or more
 * @param reservationId which reservation it releases; a reserve has none
 */
public record Asked(
        String id, String sku, int quantity, @Nullable String reservationId) {}
