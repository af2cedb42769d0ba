package io.sluice.demo.inventory;

import io.sluice.migration.branch.BranchException;
import io.sluice.migration.branch.NothingHappenedException;
import io.sluice.migration.branch.UnknownOutcomeException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Transactions, and what it means when one fails: the one place that says which errors mean that nothing happened.
 *
 * <p>What fails before {@code COMMIT} is sent has changed nothing and never will: a database keeps nothing of a transaction
 * that nobody commits, whether it refused, was too slow or went away. Once {@code COMMIT} is sent, only the database's own word
 * that it rolled back is as good; a time-out or a broken connection leaves the outcome unknown.
 */
final class Transactions {
    private final DataSource pool;
    private final int answerWithinMillis;

    /** @param answerWithin for how long one statement may take, the network included */
    Transactions(DataSource pool, Duration answerWithin) {
        this.pool = pool;
        this.answerWithinMillis = Math.toIntExact(answerWithin.toMillis());
    }

    /**
     * @throws NothingHappenedException when it was rolled back for want of the database
     * @throws BranchException what the work throws; it was rolled back then
     * @throws UnknownOutcomeException when nobody can tell whether it was committed
     */
    <R> R write(String operationId, Work<R> work) {
        Connection connection = connect();
        try {
            R result = inTransaction(connection, work);
            commit(connection, operationId);
            return result;
        } finally {
            close(connection);
        }
    }

    /** @throws NothingHappenedException when the database can't be read now */
    <R> R read(Work<R> work) {
        Connection connection = connect();
        try {
            R result = inTransaction(connection, work);
            rollback(connection);
            return result;
        } finally {
            close(connection);
        }
    }

    private Connection connect() {
        try {
            return pool.getConnection();
        } catch (SQLException unreachable) {
            throw new NothingHappenedException("no connection to the inventory's database", unreachable);
        }
    }

    private <R> R inTransaction(Connection connection, Work<R> work) {
        try {
            connection.setNetworkTimeout(Runnable::run, answerWithinMillis);
            connection.setAutoCommit(false);
            return work.in(connection);
        } catch (SQLException failed) {
            rollback(connection);
            throw new NothingHappenedException("the inventory's database failed before the commit", failed);
        } catch (RuntimeException | Error failed) {
            rollback(connection);
            throw failed;
        }
    }

    private static void commit(Connection connection, String operationId) {
        try {
            connection.commit();
        } catch (SQLException failed) {
            if (isRolledBack(failed.getSQLState())) {
                throw new NothingHappenedException("the inventory's database refused the commit", failed);
            }
            throw new UnknownOutcomeException(operationId, failed);
        }
    }

    /** Classes 23 (a constraint), 25 (no transaction any more) and 40 (rolled back), but not 40003 (completion unknown). */
    private static boolean isRolledBack(@Nullable String state) {
        return state != null
                && !state.equals("40003")
                && (state.startsWith("23") || state.startsWith("25") || state.startsWith("40"));
    }

    /** Best effort: what is not committed ends with the connection at the latest. */
    private static void rollback(Connection connection) {
        try {
            connection.rollback();
        } catch (SQLException broken) {
            abort(connection);
        }
    }

    private static void abort(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException gone) {
            // It is gone, which was wanted.
        }
    }

    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException broken) {
            abort(connection);
        }
    }
}
