package io.sluice.demo.inventory;

import io.sluice.migration.branch.BusinessAnswerException;

/** Less is available than was asked for. */
public final class OutOfStockException extends BusinessAnswerException {
    private static final long serialVersionUID = 1L;

    public OutOfStockException(String sku, int quantity) {
        super("out of stock: " + sku + " has less than " + quantity);
    }
}
