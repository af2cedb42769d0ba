package io.sluice.demo.inventory;

import com.zaxxer.hikari.HikariDataSource;
import io.sluice.migration.owner.JdbcOwners;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** A real PostgreSQL of its own, with all tables. */
final class TestDatabase implements AutoCloseable {
    private final EmbeddedPostgres postgres;
    private final List<HikariDataSource> pools = new ArrayList<>();

    TestDatabase() throws IOException, SQLException {
        // For the write log.
        postgres = EmbeddedPostgres.builder()
                .setServerConfig("track_commit_timestamp", "on")
                .start();
        JdbcOwners.createTables(plain());
        InventoryTables.create(plain());
    }

    /** Connections that are opened for each use. */
    DataSource plain() {
        return postgres.getPostgresDatabase();
    }

    int port() {
        return postgres.getPort();
    }

    /** A pool whose sessions go by this name in the database. */
    HikariDataSource pool(String name, int size) {
        return pool(name, size, port());
    }

    HikariDataSource pool(String name, int size, int port) {
        // Without statements that the server has prepared, so that a proxy in between can tell a commit by its text.
        HikariDataSource pool =
                InventoryMigration.pool(url(port) + "?user=postgres&prepareThreshold=0&ApplicationName=" + name, size);
        pools.add(pool);
        return pool;
    }

    static String url(int port) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = plain().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    long number(String sql) throws SQLException {
        try (Connection connection = plain().getConnection();
                Statement statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    /** The first column of each row. */
    List<String> texts(String sql) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (Connection connection = plain().getConnection();
                Statement statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
        }
        return texts;
    }

    @Override
    public void close() throws IOException {
        pools.forEach(HikariDataSource::close);
        postgres.close();
    }
}
