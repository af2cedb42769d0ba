package io.sluice.server;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
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

    /** The same in a real PostgreSQL, which all tests of a run share, one after the other. */
    public static TestDatabase onPostgres() {
        DataSource source = Postgres.RUNNING.getPostgresDatabase();
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

    /** Started when it is first asked for; ends with the run. */
    private static final class Postgres {
        static final EmbeddedPostgres RUNNING = start();

        private static EmbeddedPostgres start() {
            try {
                return EmbeddedPostgres.start();
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
    }
}
