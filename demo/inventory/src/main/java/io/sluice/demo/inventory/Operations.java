package io.sluice.demo.inventory;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * Which SKU the id of an operation belongs to: one table for both ledgers, so that an id can't stand for two SKUs of which one
 * has moved. It is part of the new schema and stays when the old ledger goes.
 */
final class Operations {
    private Operations() {}

    /**
     * Takes an id for a SKU. Waits while another transaction is about to take it.
     *
     * @return whether it was free
     * @throws OperationIdUsedException when it belongs to another SKU
     */
    static boolean claim(Connection transaction, String id, String sku) throws SQLException {
        String insert = "INSERT INTO inventory.operation (id, sku) VALUES (?, ?) ON CONFLICT (id) DO NOTHING";
        if (Sql.update(transaction, insert, id, sku) == 1) {
            return true;
        }
        if (skuOf(transaction, id).filter(sku::equals).isEmpty()) {
            throw new OperationIdUsedException(id);
        }
        return false;
    }

    static Optional<String> skuOf(Connection transaction, String id) throws SQLException {
        return Sql.first(
                transaction, "SELECT sku FROM inventory.operation WHERE id = ?", row -> row.getString("sku"), id);
    }
}
