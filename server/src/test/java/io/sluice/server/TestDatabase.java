package io.sluice.server;

import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.h2.jdbcx.JdbcDataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** An empty database of its own for a test, in memory, with the server's tables. */
public record TestDatabase(DataSource source, JdbcClient jdbc, TransactionTemplate transaction) {
    public static TestDatabase create() {
        JdbcDataSource source = new JdbcDataSource();
        source.setURL("jdbc:h2:mem:" + LocalServer.name("test")
                + ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH;DB_CLOSE_DELAY=-1");
        return of(source);
    }

    /** A database that other tests used before. */
    public static TestDatabase emptied(DataSource source) {
        Flyway.configure().dataSource(source).cleanDisabled(false).load().clean();
        return of(source);
    }

    /** The same database with the tables of an earlier version, and nothing in them. */
    public void downgradeTo(String version) {
        Flyway.configure().dataSource(source).cleanDisabled(false).load().clean();
        Flyway.configure().dataSource(source).target(version).load().migrate();
    }

    /** Brings the tables to what they are today, as a server does when it starts. */
    public void upgrade() {
        Flyway.configure().dataSource(source).load().migrate();
    }

    private static TestDatabase of(DataSource source) {
        Flyway.configure().dataSource(source).load().migrate();
        return new TestDatabase(
                source, JdbcClient.create(source), new TransactionTemplate(new JdbcTransactionManager(source)));
    }
}
