package io.sluice.demo.inventory;

import com.zaxxer.hikari.HikariDataSource;

final class InventoryMigration {
    private InventoryMigration() {}

    static HikariDataSource pool(String jdbcUrl, int connections) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(jdbcUrl);
        pool.setMaximumPoolSize(connections);
        pool.setConnectionTimeout(2000);
        return pool;
    }
}
