package io.sluice.demo.inventory;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** A database that can be out of reach for a while, on demand. Connections that were taken before go on. */
final class Interruptible implements DataSource {
    private static final String CANNOT_CONNECT = "08001";

    private final DataSource database;
    private volatile long outUntilNanos = System.nanoTime();

    Interruptible(DataSource database) {
        this.database = database;
    }

    /** From now on, for so long, nobody gets a connection. */
    void interrupt(Duration time) {
        outUntilNanos = System.nanoTime() + time.toNanos();
    }

    @Override
    public Connection getConnection() throws SQLException {
        if (outUntilNanos - System.nanoTime() > 0) {
            throw new SQLException("the new inventory's database is out of reach, on demand", CANNOT_CONNECT);
        }
        return database.getConnection();
    }

    @Override
    public Connection getConnection(String username, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException("its user is set");
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        return database.getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        database.setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        database.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return database.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        return database.getParentLogger();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return database.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return database.isWrapperFor(type);
    }
}
