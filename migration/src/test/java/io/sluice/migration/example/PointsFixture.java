package io.sluice.migration.example;

import io.sluice.migration.branch.Grant;
import io.sluice.migration.branch.Versioned;
import io.sluice.migration.kit.BranchFixture;
import io.sluice.migration.kit.Fault;
import io.sluice.migration.owner.Fence;
import io.sluice.migration.owner.JdbcOwners;
import io.sluice.migration.owner.KeyCopy;
import io.sluice.migration.owner.Owners;
import io.sluice.migration.plan.Side;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

final class PointsFixture implements BranchFixture<Points, Connection> {
    private final DataSource database;
    private final JdbcOwners owners;
    private final AtomicInteger accounts = new AtomicInteger();

    PointsFixture(DataSource database) {
        this.database = database;
        this.owners = new JdbcOwners(database, "points");
    }

    @Override
    public Owners<Connection> owners() {
        return owners;
    }

    @Override
    public Fence<Connection> fence() {
        return owners;
    }

    @Override
    public KeyCopy<Connection> copy() {
        return JdbcPoints.copy("old", "new");
    }

    @Override
    public Points branch(Side side, Fence<Connection> fence) {
        return new JdbcPoints(database, fence, side == Side.LEGACY ? "old" : "new");
    }

    @Override
    public Points failing(Side side, Fence<Connection> fence, Fault fault) {
        return new JdbcPoints(failing(fault), fence, side == Side.LEGACY ? "old" : "new");
    }

    @Override
    public String freshKey() {
        String account = "kit-" + accounts.incrementAndGet();
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO old.account VALUES ('" + account + "', 1000, 0)");
            return account;
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Override
    public Object write(Points points, Grant grant, String operationId) {
        return points.spend(grant, operationId, 1);
    }

    @Override
    public Object undo(Points points, Grant grant, String operationId, String writeId) {
        return points.spend(grant, operationId, -1);
    }

    @Override
    public Object refused(Points points, Grant grant, String operationId) {
        return points.spend(grant, operationId, 5000);
    }

    @Override
    public Versioned<?> read(Points points, Grant grant) {
        return points.balance(grant);
    }

    /** The same database, whose connections break at the commit. */
    private DataSource failing(Fault fault) {
        return proxy(DataSource.class, database, name -> {
            if (fault == Fault.UNREACHABLE) {
                throw new SQLException("unreachable");
            }
            Connection connection = database.getConnection();
            return proxy(Connection.class, connection, method -> {
                if (method.equals("commit")) {
                    if (fault == Fault.ANSWER_LOST) {
                        connection.commit();
                    }
                    connection.close();
                    throw new SQLException("broken at the commit");
                }
                return null;
            });
        });
    }

    private interface Instead {
        /** What a method gives instead, or null for what it gives anyway. */
        Object of(String method) throws SQLException;
    }

    private static <I> I proxy(Class<I> type, I target, Instead instead) {
        return type.cast(Proxy.newProxyInstance(
                PointsFixture.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    Object other = instead.of(method.getName());
                    try {
                        return other != null ? other : method.invoke(target, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                }));
    }
}
