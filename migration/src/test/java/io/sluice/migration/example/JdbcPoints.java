package io.sluice.migration.example;

import io.sluice.migration.branch.BusinessAnswerException;
import io.sluice.migration.branch.Grant;
import io.sluice.migration.branch.NothingHappenedException;
import io.sluice.migration.branch.Outcome;
import io.sluice.migration.branch.UnknownOutcomeException;
import io.sluice.migration.branch.Versioned;
import io.sluice.migration.owner.Amounts;
import io.sluice.migration.owner.Fence;
import io.sluice.migration.owner.KeyCopy;
import io.sluice.migration.plan.Side;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

// The example of docs/migration.md from here on.
final class JdbcPoints implements Points {
    private static final long CALLED_OFF = -1;

    private final DataSource database;
    private final Fence<Connection> fence;
    private final String schema;

    JdbcPoints(DataSource database, Fence<Connection> fence, String schema) {
        this.database = database;
        this.fence = fence;
        this.schema = schema;
    }

    @Override
    public long spend(Grant grant, String operationId, long points) {
        return write(operationId, transaction -> {
            fence.admitWrite(transaction, grant); // first, and in the same transaction
            long balance = lock(transaction, grant.key());
            List<Long> done =
                    longs(transaction, "SELECT result FROM " + schema + ".operation WHERE id = ?", operationId);
            if (done.contains(CALLED_OFF)) {
                throw new BusinessAnswerException("operation " + operationId + " was called off");
            }
            if (!done.isEmpty()) {
                return done.get(0); // sent twice: the same answer
            }
            if (balance < points) {
                throw new NotEnoughPointsException(grant.key());
            }
            return note(transaction, grant.key(), operationId, points, balance - points);
        });
    }

    @Override
    public Outcome outcome(Grant grant, String operationId) {
        return write(operationId, transaction -> {
            fence.admitWrite(transaction, grant); // what it answers is final, so it is a write
            lock(transaction, grant.key());
            List<Long> done =
                    longs(transaction, "SELECT result FROM " + schema + ".operation WHERE id = ?", operationId);
            if (done.isEmpty()) {
                note(transaction, grant.key(), operationId, 0, CALLED_OFF);
            }
            return done.isEmpty() || done.contains(CALLED_OFF) ? Outcome.DID_NOT_HAPPEN : Outcome.HAPPENED;
        });
    }

    @Override
    public Versioned<Long> balance(Grant grant) {
        return read(connection -> {
            fence.admitRead(connection, grant);
            List<Long> row =
                    longs(connection, "SELECT points, version FROM " + schema + ".account WHERE id = ?", grant.key());
            return row.isEmpty() ? new Versioned<>(0L, 0) : new Versioned<>(row.get(0), row.get(1));
        });
    }

    @Override
    public Optional<String> keyOf(String operationId) {
        return read(connection -> {
            try (PreparedStatement select =
                    connection.prepareStatement("SELECT account FROM " + schema + ".operation WHERE id = ?")) {
                select.setString(1, operationId);
                ResultSet row = select.executeQuery();
                return row.next() ? Optional.of(row.getString(1)) : Optional.empty();
            }
        });
    }

    /** How one account gets from one schema into the other, with the ids that must not happen twice. */
    static KeyCopy<Connection> copy(String legacy, String newer) {
        return (transaction, account, from, to) -> {
            String source = from == Side.LEGACY ? legacy : newer;
            String target = to == Side.LEGACY ? legacy : newer;
            try {
                for (String sql : List.of(
                        "DELETE FROM " + target + ".operation WHERE account = ?",
                        "DELETE FROM " + target + ".account WHERE id = ?",
                        "INSERT INTO " + target + ".account SELECT * FROM " + source + ".account WHERE id = ?",
                        "INSERT INTO " + target + ".operation SELECT * FROM " + source
                                + ".operation WHERE account = ?")) {
                    change(transaction, sql, account);
                }
                List<Long> points =
                        longs(transaction, "SELECT points FROM " + target + ".account WHERE id = ?", account);
                return points.isEmpty() ? Amounts.NONE : Amounts.of(Map.of("points", points.get(0)));
            } catch (SQLException failed) {
                throw new IllegalStateException("account " + account + " could not be copied", failed);
            }
        };
    }

    /** Before the commit is sent nothing has happened, whatever fails. From then on nobody knows. */
    private <R> R write(String operationId, Sql<R> sql) {
        boolean isSent = false;
        try (Connection transaction = database.getConnection()) {
            transaction.setAutoCommit(false);
            R result = sql.run(transaction);
            isSent = true;
            transaction.commit();
            return result;
        } catch (SQLException failed) {
            throw isSent
                    ? new UnknownOutcomeException(operationId, failed)
                    : new NothingHappenedException("points are not available", failed);
        }
    }

    private <R> R read(Sql<R> sql) {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            return sql.run(connection);
        } catch (SQLException failed) {
            throw new NothingHappenedException("points are not available", failed);
        }
    }

    private long lock(Connection transaction, String account) throws SQLException {
        List<Long> points =
                longs(transaction, "SELECT points FROM " + schema + ".account WHERE id = ? FOR UPDATE", account);
        return points.isEmpty() ? 0 : points.get(0);
    }

    private long note(Connection transaction, String account, String id, long spent, long result) throws SQLException {
        change(
                transaction,
                "UPDATE " + schema + ".account SET points = points - ?, version = version + 1 WHERE id = ?",
                spent,
                account);
        change(transaction, "INSERT INTO " + schema + ".operation VALUES (?, ?, ?)", id, account, result);
        return result;
    }

    private static void change(Connection transaction, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = transaction.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            statement.executeUpdate();
        }
    }

    private static List<Long> longs(Connection connection, String sql, String id) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(sql)) {
            select.setString(1, id);
            ResultSet row = select.executeQuery();
            if (!row.next()) {
                return List.of();
            }
            return row.getMetaData().getColumnCount() == 1
                    ? List.of(row.getLong(1))
                    : List.of(row.getLong(1), row.getLong(2));
        }
    }

    private interface Sql<R> {
        R run(Connection connection) throws SQLException;
    }
}
