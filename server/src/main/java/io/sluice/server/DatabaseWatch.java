package io.sluice.server;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Lazy;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Whether the database can be read, asked once a second. The embedded one closes for good when it could not write, as on a
 * full disk, and opens again, from what it had acknowledged, once nobody holds a connection to it; so when it cannot be read
 * all connections are given up. The pool sees nothing of this: such a connection still calls itself valid.
 */
@Component("db")
@Lazy(false)
class DatabaseWatch implements HealthIndicator {
    private static final Logger log = LoggerFactory.getLogger(DatabaseWatch.class);

    private final JdbcClient jdbc;
    private final HikariDataSource pool;
    private volatile boolean up = true;

    DatabaseWatch(JdbcClient jdbc, HikariDataSource pool) {
        this.jdbc = jdbc;
        this.pool = pool;
    }

    @Scheduled(fixedDelay = 1000)
    void look() {
        try {
            jdbc.sql("select revision from rule_state").query(Long.class).single();
            if (!up) {
                log.warn("the database answers again");
            }
            up = true;
        } catch (RuntimeException failure) {
            if (up) {
                log.error("the database does not answer; opening it again", failure);
            }
            up = false;
            HikariPoolMXBean connections = pool.getHikariPoolMXBean();
            if (connections != null) {
                connections.softEvictConnections();
            }
        }
    }

    @Override
    public Health health() {
        return up ? Health.up().build() : Health.down().build();
    }
}
