package io.sluice.demo.inventory;

import io.sluice.migration.owner.Amounts;
import io.sluice.migration.owner.KeyCopy;
import io.sluice.migration.plan.Side;
import io.sluice.migration.retirement.Retire;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Takes a SKU from one ledger into the other: stock and version, reservations with who made and who released them, and the ids of
 * operations that were given up. Replaces whatever stood there. Needs the tables only; safe for use by many threads.
 */
@Retire(migration = InventoryTables.MIGRATION, after = InventoryTables.RETIRED_AFTER, part = "moves")
public final class InventoryCopy implements KeyCopy<Connection> {
    private static final String TO_NEW_RESERVATIONS =
            "INSERT INTO inventory.reservation (id, sku, order_id, quantity, status, owner, release_id)"
                    + " SELECT id, sku, order_no, quantity,"
                    + " CASE WHEN cancelled THEN 'CANCELLED' WHEN released THEN 'RELEASED' ELSE 'RESERVED' END,"
                    + " made_by, release_id FROM legacy_reservation WHERE sku = ?";
    private static final String TO_LEGACY_RESERVATIONS =
            "INSERT INTO legacy_reservation (id, sku, order_no, quantity, released, cancelled, made_by, release_id)"
                    + " SELECT id, sku, order_id, quantity, status = 'RELEASED', status = 'CANCELLED',"
                    + " owner, release_id FROM inventory.reservation WHERE sku = ?";

    @Override
    public Amounts copy(Connection transaction, String key, Side from, Side to) {
        String stockTo = stock(to);
        try {
            Sql.update(transaction, "DELETE FROM " + reservations(to) + " WHERE sku = ?", key);
            Sql.update(transaction, to == Side.NEW ? TO_NEW_RESERVATIONS : TO_LEGACY_RESERVATIONS, key);
            Sql.update(transaction, "DELETE FROM " + stockTo + " WHERE sku = ?", key);
            Sql.update(
                    transaction,
                    "INSERT INTO " + stockTo + " (sku, available, version) SELECT sku, available, version FROM "
                            + stock(from) + " WHERE sku = ?",
                    key);
            return InventoryLedgers.amounts(transaction, to, key);
        } catch (SQLException failed) {
            throw new IllegalStateException("can't copy " + key + " to " + to.label(), failed);
        }
    }

    static String stock(Side side) {
        return side == Side.NEW ? "inventory.stock" : "legacy_inventory";
    }

    static String reservations(Side side) {
        return side == Side.NEW ? "inventory.reservation" : "legacy_reservation";
    }
}
