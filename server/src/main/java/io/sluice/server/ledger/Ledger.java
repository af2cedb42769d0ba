package io.sluice.server.ledger;

import io.sluice.core.channel.ChannelStore.Published;
import io.sluice.core.release.ReleaseStore.AlreadyExistsException;
import io.sluice.wire.ReleaseSpecJson;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The ids, claims and revision that all releases share. What writes does so in the transaction of its caller. */
@Repository
public class Ledger {
    /** The strategy of releases that send customers to another version, in the column of that name. */
    public static final String CANARY = "canary";

    private final JdbcClient jdbc;

    public Ledger(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** How a release of any strategy is carried out; empty when there is none of that id. */
    public Optional<String> strategyOf(String id) {
        return jdbc.sql("select strategy from releases where id = ?")
                .param(id)
                .query(String.class)
                .optional();
    }

    /** On which weight a release of any strategy stands; empty when there is none of that id. */
    public Optional<Long> stepOf(String id) {
        return jdbc.sql("select step from releases where id = ?")
                .param(id)
                .query(Long.class)
                .optional();
    }

    /** The ids of all releases, the newest first. */
    public List<String> newestFirst() {
        return jdbc.sql("select id from releases order by created desc")
                .query(String.class)
                .list();
    }

    /** Which rules are published for what is saved. */
    public Published published() {
        return jdbc.sql("select epoch, revision from rule_state")
                .query((row, number) -> new Published(row.getLong("epoch"), row.getLong("revision")))
                .single();
    }

    /** Whoever creates holds the one row until the end, so that two cannot both take the last room. */
    public void oneAtATime() {
        jdbc.sql("update rule_state set revision = revision").update();
    }

    /** Processes must know something new. */
    public void raiseRevision() {
        jdbc.sql("update rule_state set revision = revision + 1").update();
    }

    /** @throws DuplicateKeyException when a release of any strategy has one of them */
    public void claim(String release, List<String> services) {
        for (String service : services) {
            jdbc.sql("insert into release_service (service, release_id) values (?, ?)")
                    .params(service, release)
                    .update();
        }
    }

    public void dropClaims(String release) {
        jdbc.sql("delete from release_service where release_id = ?")
                .param(release)
                .update();
    }

    /** The release that claims a service; empty when it is free. */
    public Optional<String> claimantOf(String service) {
        return jdbc.sql("select release_id from release_service where service = ?")
                .param(service)
                .query(String.class)
                .optional();
    }

    /** What is the matter with a new release that the database has refused; asked after its transaction. */
    public AlreadyExistsException alreadyExists(String id, List<String> services, DuplicateKeyException taken) {
        if (strategyOf(id).isPresent()) {
            return AlreadyExistsException.id(id);
        }
        for (String service : services) {
            Optional<String> other = claimantOf(service);
            if (other.isPresent()) {
                return AlreadyExistsException.service(service, other.get());
            }
        }
        // The other one ended between our insert and this look.
        throw taken;
    }

    /**
     * Retires the canaries that are over and still stand in the rules for one of these services: the channel takes over.
     *
     * @return whether there were any, so that processes must know something new
     */
    public boolean retireCanaries(List<String> services) {
        List<String> ids = jdbc
                .sql("select id, spec from releases where strategy = 'canary' and not retired"
                        + " and phase in ('completed', 'aborted') order by id")
                .query((row, number) -> covers(row.getString("spec"), services) ? row.getString("id") : "")
                .list()
                .stream()
                .filter(id -> !id.isEmpty())
                .toList();
        ids.forEach(id -> jdbc.sql("update releases set retired = true, revision = revision + 1 where id = ?")
                .param(id)
                .update());
        return !ids.isEmpty();
    }

    private static boolean covers(String spec, List<String> services) {
        List<String> covered = ReleaseSpecJson.readStrict(spec.getBytes(StandardCharsets.UTF_8))
                .services();
        return !Collections.disjoint(covered, services);
    }
}
