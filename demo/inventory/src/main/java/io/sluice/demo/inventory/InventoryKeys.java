package io.sluice.demo.inventory;

import io.sluice.migration.move.KeySource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** Every SKU of both ledgers, for movers. Safe for use by many threads. */
public final class InventoryKeys implements KeySource {
    private static final String PAGE = "SELECT sku FROM (SELECT sku FROM legacy_inventory UNION"
            + " SELECT sku FROM inventory.stock) AS both_ledgers WHERE sku > ? ORDER BY sku LIMIT ?";

    private final DataSource database;

    public InventoryKeys(DataSource database) {
        this.database = database;
    }

    @Override
    public List<String> after(String last, int limit) {
        try (Connection connection = database.getConnection();
                PreparedStatement query = connection.prepareStatement(PAGE)) {
            query.setString(1, last);
            query.setInt(2, limit);
            List<String> page = new ArrayList<>();
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    page.add(rows.getString("sku"));
                }
            }
            return page;
        } catch (SQLException away) {
            throw new IllegalStateException("the SKUs can't be read", away);
        }
    }
}
