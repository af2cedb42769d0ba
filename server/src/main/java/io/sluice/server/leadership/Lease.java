package io.sluice.server.leadership;

import java.util.OptionalLong;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The row that says who leads, in PostgreSQL. Times are the database's, so the clocks of the servers do not matter; each
 * statement is one step, so two servers cannot both take it.
 */
final class Lease {
    private static final int LARGEST_HOLDER = 128;

    private final JdbcClient jdbc;
    private final String holder;
    private final String expiry;

    /** @param holder another one for each start of a server */
    Lease(JdbcClient jdbc, String holder, LeaseTimes times) {
        this.jdbc = jdbc;
        this.holder = holder.substring(0, Math.min(LARGEST_HOLDER, holder.length()));
        this.expiry = times.expiry().toMillis() + " milliseconds";
    }

    /** Takes it when it has expired. @return the new epoch */
    OptionalLong take() {
        return jdbc.sql("update leader_lease set holder = ?, epoch = epoch + 1,"
                        + " expires_at = clock_timestamp() + cast(? as interval)"
                        + " where id = 1 and expires_at < clock_timestamp() returning epoch")
                .params(holder, expiry)
                .query(Long.class)
                .optional()
                .map(OptionalLong::of)
                .orElseGet(OptionalLong::empty);
    }

    /** Holds it for longer. @return whether it was still ours, expired or not: nobody else has taken it */
    boolean renew(long epoch) {
        return jdbc.sql("update leader_lease set expires_at = clock_timestamp() + cast(? as interval)"
                                + " where id = 1 and holder = ? and epoch = ?")
                        .params(expiry, holder, epoch)
                        .update()
                == 1;
    }

    /** Lets another server take it at once. */
    void giveUp(long epoch) {
        jdbc.sql("update leader_lease set expires_at = timestamp with time zone '2000-01-01 00:00:00+00:00'"
                        + " where id = 1 and holder = ? and epoch = ?")
                .params(holder, epoch)
                .update();
    }

    /**
     * The epoch that holds now and, until the transaction of this thread ends, goes on holding: whoever would take the
     * lease waits for it. Several transactions may do so beside each other.
     */
    long hold() {
        return jdbc.sql("select epoch from leader_lease where id = 1 for share")
                .query(Long.class)
                .single();
    }
}
