package io.sluice.server.workloads;

import io.sluice.core.tag.Color;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Who is known, in the database: written when somebody comes, changes or goes, and not with every report. */
@Repository
class WorkloadStore {
    private final JdbcClient jdbc;

    WorkloadStore(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Who a process is. @param color null for one in no channel */
    record Who(String service, String instance, @Nullable Color color, String version) {}

    List<Who> all() {
        return jdbc.sql("select * from workloads order by instance")
                .query(WorkloadStore::who)
                .list();
    }

    /** Saves who a process is now, whether or not it was known. */
    void save(Who who) {
        Color color = who.color();
        String label = color == null ? null : color.label();
        int updated = jdbc.sql("update workloads set service = ?, color = ?, version = ? where instance = ?")
                .param(who.service())
                .param(label)
                .params(who.version(), who.instance())
                .update();
        if (updated == 0) {
            jdbc.sql("insert into workloads (instance, service, color, version) values (?, ?, ?, ?)")
                    .params(who.instance(), who.service())
                    .param(label)
                    .param(who.version())
                    .update();
        }
    }

    void delete(String instance) {
        jdbc.sql("delete from workloads where instance = ?").param(instance).update();
    }

    private static Who who(ResultSet row, int number) throws SQLException {
        String color = row.getString("color");
        return new Who(
                row.getString("service"),
                row.getString("instance"),
                color == null ? null : Color.parse(color),
                row.getString("version"));
    }
}
