package io.sluice.bench.moves;

import io.sluice.demo.inventory.InventoryTables;
import io.sluice.migration.owner.JdbcOwners;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** A PostgreSQL of its own that keeps what it has committed, as one in production does. Safe for use by many threads. */
final class StockDatabase implements AutoCloseable {
    static final String FORMAT = "sku-%06d";
    static final int STOCKED = 100;

    /** The settings that say whether an answer means that it is on the disk. */
    private static final List<String> DURABLE = List.of("fsync", "synchronous_commit", "full_page_writes");

    /** What one row says. */
    @FunctionalInterface
    interface Row<R> {
        R read(ResultSet row) throws SQLException;
    }

    private final EmbeddedPostgres postgres;

    /** With all tables, and so many SKUs in the old ledger. */
    StockDatabase(int skus) throws IOException, SQLException {
        postgres = EmbeddedPostgres.builder()
                // Without these it runs as for tests, and forgets what it has acknowledged when the power goes.
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("shared_buffers", "512MB")
                .setServerConfig("max_wal_size", "4GB")
                .setServerConfig("checkpoint_timeout", "5min")
                .setServerConfig("track_commit_timestamp", "on")
                .start();
        for (String setting : DURABLE) {
            String value = one("SHOW " + setting, row -> row.getString(1));
            if (!value.equals("on")) {
                throw new IllegalStateException(setting + " is " + value);
            }
        }
        JdbcOwners.createTables(plain());
        InventoryTables.create(plain());
        InventoryTables.stock(plain(), FORMAT, skus, STOCKED);
        execute("VACUUM ANALYZE");
    }

    /** Connections that are opened for each use. */
    DataSource plain() {
        return postgres.getPostgresDatabase();
    }

    /** @param name by which the database knows these sessions */
    static String url(int port, String name) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres&ApplicationName=" + name;
    }

    int port() {
        return postgres.getPort();
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = plain().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    <R> R one(String sql, Row<R> reader) throws SQLException {
        return all(sql, reader).get(0);
    }

    long number(String sql) throws SQLException {
        return one(sql, row -> row.getLong(1));
    }

    <R> List<R> all(String sql, Row<R> reader) throws SQLException {
        List<R> found = new ArrayList<>();
        try (Connection connection = plain().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                found.add(reader.read(rows));
            }
        }
        return found;
    }

    @Override
    public void close() throws IOException {
        postgres.close();
    }
}
