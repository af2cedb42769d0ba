package io.sluice.demo.inventory;

import io.sluice.migration.branch.BusinessAnswerException;

/** Nobody has ever stocked this SKU. */
public final class NotStockedException extends BusinessAnswerException {
    private static final long serialVersionUID = 1L;

    public NotStockedException(String sku) {
        super("not stocked: " + sku);
    }
}
