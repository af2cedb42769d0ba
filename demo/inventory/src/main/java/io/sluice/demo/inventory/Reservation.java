package io.sluice.demo.inventory;

/**
 * Stock that was taken out for an order. Sent again, a request gets the same one, also after its SKU has moved.
 *
 * @param id the id of the request, marked with {@code nv-} when the new side made it
 */
public record Reservation(String id, String orderId, String sku, int quantity) {}
