package io.sluice.demo.inventory;

import io.sluice.migration.kit.Fault;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;

/** A database whose connections break: really, by ending their sessions, at the moment that the fault says. */
final class FailingDatabase {
    private static final String BROKEN = "08006";

    private FailingDatabase() {}

    static DataSource of(DataSource database, Fault fault) {
        if (fault == Fault.UNREACHABLE) {
            return unreachableWhen(database, () -> true);
        }
        return proxy(
                DataSource.class,
                (proxy, method, arguments) -> method.getName().equals("getConnection")
                        ? connection(database, database.getConnection(), fault)
                        : call(database, method, arguments));
    }

    /** Gives no connection while this is so. */
    static DataSource unreachableWhen(DataSource database, BooleanSupplier isUnreachable) {
        return proxy(DataSource.class, (proxy, method, arguments) -> {
            if (method.getName().equals("getConnection") && isUnreachable.getAsBoolean()) {
                throw new SQLException("unreachable", "08001");
            }
            return call(database, method, arguments);
        });
    }

    private static Connection connection(DataSource database, Connection connection, Fault fault) {
        return proxy(Connection.class, (proxy, method, arguments) -> {
            boolean isReservation = method.getName().equals("prepareStatement")
                    && arguments[0].toString().matches("(?s)INSERT INTO (legacy_|inventory\\.)reservation.*");
            if (fault == Fault.BEFORE_COMMIT && isReservation) {
                endSession(database, connection);
            }
            Object result = call(connection, method, arguments);
            if (fault == Fault.ANSWER_LOST && method.getName().equals("commit")) {
                connection.abort(Runnable::run);
                throw new SQLException("the connection broke", BROKEN);
            }
            return result;
        });
    }

    private static void endSession(DataSource database, Connection connection) throws SQLException {
        int pid;
        try (Statement statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT pg_backend_pid()")) {
            rows.next();
            pid = rows.getInt(1);
        }
        try (Connection other = database.getConnection();
                Statement statement = other.createStatement()) {
            // With a time it waits until the session has ended.
            statement.execute("SELECT pg_terminate_backend(" + pid + ", 10000)");
        }
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }

    private static <I> I proxy(Class<I> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(FailingDatabase.class.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
