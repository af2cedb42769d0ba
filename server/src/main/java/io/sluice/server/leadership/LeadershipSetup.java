package io.sluice.server.leadership;

import java.util.Objects;
import java.util.UUID;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.jdbc.support.MetaDataAccessException;

/** A lease where several servers can share the database; the embedded one is open in one process only. */
@Configuration(proxyBeanMethods = false)
class LeadershipSetup {
    @Bean
    @Lazy(false)
    @DependsOnDatabaseInitialization
    Leadership leadership(JdbcClient jdbc, DataSource database, @Value("${server.address:}") String address)
            throws MetaDataAccessException {
        String product = JdbcUtils.extractDatabaseMetaData(database, metaData -> metaData.getDatabaseProductName());
        if (!Objects.equals(product, "PostgreSQL")) {
            return Leadership.alone();
        }
        String holder = address + " " + ProcessHandle.current().pid() + " " + UUID.randomUUID();
        return new LeasedLeadership(
                        new Lease(jdbc, holder, LeaseTimes.DEFAULT), LeaseTimes.DEFAULT, System::nanoTime)
                .start();
    }
}
