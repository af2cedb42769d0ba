package io.sluice.demo.inventory;

import io.sluice.migration.owner.Amounts;
import io.sluice.migration.plan.Side;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;

/** What the two ledgers hold of a SKU: {@code available} and {@code reserved}, for moves, reports and reconciliation. */
public final class InventoryLedgers {
    private InventoryLedgers() {}

    /**
     * What one side holds, whether it owns the SKU or not.
     *
     * @return {@link Amounts#NONE} when it holds nothing
     * @throws SQLException when the database can't be read
     */
    public static Amounts amounts(Connection connection, Side side, String sku) throws SQLException {
        return Sql.first(
                        connection,
                        "SELECT available, " + reserved(side, "s.sku") + " AS reserved FROM "
                                + InventoryCopy.stock(side) + " s WHERE s.sku = ?",
                        row -> Amounts.of(
                                Map.of("available", row.getLong("available"), "reserved", row.getLong("reserved"))),
                        sku)
                .orElse(Amounts.NONE);
    }

    /** A query over a whole ledger, with the columns {@code sku}, {@code available} and {@code reserved}. */
    public static String query(Side side) {
        return "SELECT s.sku, s.available, " + reserved(side, "s.sku") + " AS reserved FROM "
                + InventoryCopy.stock(side) + " s";
    }

    private static String reserved(Side side, String sku) {
        return "(SELECT coalesce(sum(r.quantity), 0) FROM " + InventoryCopy.reservations(side) + " r WHERE r.sku = "
                + sku + " AND " + (side == Side.NEW ? "r.status = 'RESERVED'" : "NOT r.released AND NOT r.cancelled")
                + ")";
    }
}
