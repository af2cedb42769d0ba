package io.sluice.bench.moves;

import java.sql.SQLException;

/** Every freeze and every opening of a key, kept by the database itself, with the name of the session that did it. */
final class MoveLog {
    private static final String OPENINGS = "SELECT o.key, o.side, o.was, o.by AS opened_by, f.by AS frozen_by,"
            + " extract(epoch FROM o.at - f.at) * 1000 AS frozen FROM move_log o"
            + " JOIN move_log f ON f.key = o.key AND f.epoch = o.epoch AND f.moving_to IS NOT NULL"
            + " WHERE o.moving_to IS NULL";

    /**
     * What it has seen.
     *
     * @param handOvers keys that were opened at the other side
     * @param givenUp moves that ended with the key where it was
     * @param byOthers keys opened at the other side by another session than the one that had frozen them
     * @param byWriters those of them that a writer has finished
     * @param again keys that were frozen more than once
     * @param p50 for how long a key was frozen, in ms
     * @param p99 the same
     * @param most the same
     */
    record Seen(
            long handOvers,
            long givenUp,
            long byOthers,
            long byWriters,
            long again,
            double p50,
            double p99,
            double most) {}

    private final StockDatabase database;

    private MoveLog(StockDatabase database) {
        this.database = database;
    }

    static MoveLog begin(StockDatabase database) throws SQLException {
        database.execute("CREATE TABLE move_log (key text, epoch bigint, side text, was text, moving_to text,"
                + " at timestamptz, by text DEFAULT current_setting('application_name'))");
        database.execute("CREATE FUNCTION log_move() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
                + " INSERT INTO move_log (key, epoch, side, was, moving_to, at)"
                + " VALUES (NEW.key, NEW.epoch, NEW.side, OLD.side, NEW.moving_to, NEW.since); RETURN NEW; END $$");
        database.execute("CREATE TRIGGER log_move AFTER UPDATE ON sluice.owner FOR EACH ROW"
                + " WHEN (OLD.moving_to IS DISTINCT FROM NEW.moving_to) EXECUTE FUNCTION log_move()");
        return new MoveLog(database);
    }

    Seen seen() throws SQLException {
        database.execute("ANALYZE move_log");
        long again = database.number("SELECT count(*) FROM (SELECT key FROM move_log WHERE moving_to IS NOT NULL"
                + " GROUP BY key HAVING count(*) > 1) AS k");
        return database.one(
                "SELECT count(*) FILTER (WHERE side <> was), count(*) FILTER (WHERE side = was),"
                        + " count(*) FILTER (WHERE side <> was AND opened_by <> frozen_by),"
                        + " count(*) FILTER (WHERE side <> was AND opened_by <> frozen_by AND opened_by LIKE '%"
                        + RouterMain.CALLERS + "'),"
                        + " percentile_disc(0.5) WITHIN GROUP (ORDER BY frozen),"
                        + " percentile_disc(0.99) WITHIN GROUP (ORDER BY frozen), max(frozen) FROM (" + OPENINGS
                        + ") AS o",
                row -> new Seen(
                        row.getLong(1),
                        row.getLong(2),
                        row.getLong(3),
                        row.getLong(4),
                        again,
                        row.getDouble(5),
                        row.getDouble(6),
                        row.getDouble(7)));
    }
}
