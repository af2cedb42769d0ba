package io.sluice.demo.inventory;

import io.sluice.core.problem.Problems;

/**
 * Some of one SKU for an order.
 *
 * @param reservationId the id of the operation, chosen by the caller: sent again it happens once. 1..255 characters, not
 *     starting with the mark {@code nv-}, which belongs to the answer
 * @param orderId the order, 1..255 characters
 * @param sku the key, 1..255 characters
 * @param quantity how many, 1 or more
 */
public record ReserveRequest(String reservationId, String orderId, String sku, int quantity) {
    /** @throws io.sluice.core.problem.RefusedException with every problem; nothing has happened then */
    public ReserveRequest {
        Problems problems = new Problems();
        Ids.requireUnmarked("reservationId", reservationId, problems);
        Ids.require("orderId", orderId, problems);
        Ids.require("sku", sku, problems);
        problems.require(quantity >= 1, "quantity", quantity, "must be 1 or more");
        problems.throwIfAny();
    }
}
