package io.sluice.demo.inventory;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One statement, with its values in order. */
final class Sql {
    /** What a row says. */
    @FunctionalInterface
    interface Row<R> {
        R read(ResultSet row) throws SQLException;
    }

    private Sql() {}

    /** How many rows it changed. */
    static int update(Connection transaction, String sql, @Nullable Object... values) throws SQLException {
        try (PreparedStatement statement = prepare(transaction, sql, values)) {
            return statement.executeUpdate();
        }
    }

    /** The first row, if there is one. */
    static <R> Optional<R> first(Connection transaction, String sql, Row<R> reader, @Nullable Object... values)
            throws SQLException {
        try (PreparedStatement statement = prepare(transaction, sql, values);
                ResultSet rows = statement.executeQuery()) {
            return rows.next() ? Optional.of(reader.read(rows)) : Optional.empty();
        }
    }

    private static PreparedStatement prepare(Connection transaction, String sql, @Nullable Object... values)
            throws SQLException {
        PreparedStatement statement = transaction.prepareStatement(sql);
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        return statement;
    }
}
