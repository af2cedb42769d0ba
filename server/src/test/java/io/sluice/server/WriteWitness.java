package io.sluice.server;

import java.util.List;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Triggers in the servers' database that note which server wrote, and which term held at that very moment. */
final class WriteWitness {
    private static final List<String> WRITTEN =
            List.of("releases", "release_step", "rule_state", "journal", "step_tally", "step_evidence");

    private final JdbcClient jdbc;

    /**
     * Begins to watch.
     *
     * @param leader the name that the server which leads now has as an application of the database
     */
    WriteWitness(DataSource database, String leader) {
        this.jdbc = JdbcClient.create(database);
        jdbc.sql("create table witness_write (seq bigserial primary key, relation text, server text, epoch bigint)")
                .update();
        jdbc.sql("create table witness_term (epoch bigint primary key, server text)")
                .update();
        jdbc.sql("insert into witness_term select epoch, ? from leader_lease")
                .param(leader)
                .update();
        jdbc.sql("""
                create function note_write() returns trigger language plpgsql as $$ begin
                  insert into witness_write (relation, server, epoch)
                    select tg_table_name, current_setting('application_name'), epoch from leader_lease;
                  return null;
                end $$""").update();
        jdbc.sql("""
                create function note_term() returns trigger language plpgsql as $$ begin
                  if new.epoch <> old.epoch then
                    insert into witness_term values (new.epoch, current_setting('application_name'));
                  end if;
                  return null;
                end $$""").update();
        for (String table : WRITTEN) {
            jdbc.sql("create trigger note_write after insert or update or delete on " + table
                            + " for each row execute function note_write()")
                    .update();
        }
        jdbc.sql("create trigger note_term after update on leader_lease for each row execute function note_term()")
                .update();
    }

    /** Writes that were accepted, of servers that did not hold the term in which they wrote; each as a sentence. */
    List<String> strangers() {
        return jdbc.sql("select w.relation || ' by ' || w.server || ' in epoch ' || w.epoch || ' of ' || t.server"
                        + " from witness_write w join witness_term t on t.epoch = w.epoch where w.server <> t.server"
                        + " order by w.seq")
                .query(String.class)
                .list();
    }

    /** How often a server wrote. */
    long writes(String server) {
        return jdbc.sql("select count(*) from witness_write where server = ?")
                .param(server)
                .query(Long.class)
                .single();
    }

    long terms() {
        return jdbc.sql("select count(*) from witness_term").query(Long.class).single();
    }
}
