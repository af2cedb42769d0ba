package io.sluice.server.ledger;

import java.util.Objects;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.jdbc.support.MetaDataAccessException;
import org.springframework.stereotype.Component;

/**
 * Forces what was committed to the disk. The embedded database writes at once but syncs when it likes; PostgreSQL syncs
 * every commit, so there is nothing to do.
 */
@Component
public class DiskSync {
    private final JdbcClient jdbc;
    private final boolean embedded;

    public DiskSync(JdbcClient jdbc, DataSource database) throws MetaDataAccessException {
        this.jdbc = jdbc;
        String product = JdbcUtils.extractDatabaseMetaData(database, metaData -> metaData.getDatabaseProductName());
        this.embedded = Objects.equals(product, "H2");
    }

    public void sync() {
        if (embedded) {
            jdbc.sql("checkpoint sync").update();
        }
    }
}
