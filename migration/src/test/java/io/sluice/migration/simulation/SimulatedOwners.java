package io.sluice.migration.simulation;

import io.sluice.migration.branch.Grant;
import io.sluice.migration.branch.NothingHappenedException;
import io.sluice.migration.branch.UnknownOutcomeException;
import io.sluice.migration.owner.Fence;
import io.sluice.migration.owner.KeyCopy;
import io.sluice.migration.owner.Owned;
import io.sluice.migration.owner.OwnerChangedException;
import io.sluice.migration.owner.Owners;
import io.sluice.migration.plan.Side;
import io.sluice.migration.simulation.Database.Lock;
import io.sluice.migration.simulation.Row.Id;
import io.sluice.migration.simulation.Row.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Owners and fence as {@code JdbcOwners} has them, statement by statement, over the simulated database. A planted bug
 * changes one of the statements.
 */
final class SimulatedOwners implements Owners<Transaction>, Fence<Transaction> {
    private static final Duration LOCK_LIMIT = Duration.ofSeconds(5);
    private static final Duration IDLE_LIMIT = Duration.ofSeconds(10);
    private static final int ATTEMPTS = 10;

    private final Database database;
    private final Schedule schedule;
    private final Planted planted;
    private final StockCopy earlyCopy;

    SimulatedOwners(Database database, Schedule schedule, Planted planted) {
        this.earlyCopy = new StockCopy(Planted.NOTHING);
        this.database = database;
        this.schedule = schedule;
        this.planted = planted;
    }

    private static Id id(String key) {
        return new Id(Table.OWNER, key, "");
    }

    // ---- The fence

    @Override
    public void admitWrite(Transaction transaction, Grant grant) {
        if (grant.isShadow()) {
            if (planted == Planted.SHADOW_WRITES) {
                return;
            }
            throw new IllegalArgumentException("a shadow's grant for key " + grant.key() + " only reads");
        }
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Row.Owner before = owner(transaction.select("fence: looks", id(grant.key())));
            boolean isLocked = false;
            if (before != null && passes(before, grant)) {
                transaction.lock("fence: locks", id(grant.key()), Lock.KEY_SHARE);
                isLocked = true;
            }
            Row.Owner now = planted == Planted.READ_BEFORE_LOCK
                    ? before
                    : owner(transaction.select("fence: reads", id(grant.key())));
            transaction.limit(IDLE_LIMIT);
            if (now == null && grant.side() == Side.LEGACY) {
                addMissing(transaction, grant.key());
                continue;
            }
            if (!passes(now == null ? NEVER_MOVED : now, grant)) {
                schedule.count("fence refused");
                throw new OwnerChangedException(grant, owned(grant.key(), now));
            }
            if (isLocked) {
                transaction.admitted(schedule.steps());
                return;
            }
        }
        throw new NothingHappenedException("key " + grant.key() + " was moved in each look at it", null);
    }

    private boolean passes(Row.Owner owner, Grant grant) {
        if (planted == Planted.NO_OWNER_CHECK) {
            return true;
        }
        boolean isLate = grant.epoch() < owner.epoch() && planted != Planted.NO_EPOCH_CHECK;
        return owner.movingTo() == null && owner.side() == grant.side() && !isLate;
    }

    @Override
    public void admitRead(Transaction transaction, Grant grant) {
        if (grant.isShadow()) {
            return;
        }
        Owned owned = owned(grant.key(), owner(transaction.select("fence: reads", id(grant.key()))));
        boolean hasMoved = !owned.isFrozen() && grant.epoch() < owned.epoch();
        if (owned.side() != grant.side() || hasMoved) {
            throw new OwnerChangedException(grant, owned);
        }
    }

    // ---- The owners

    private static final Row.Owner NEVER_MOVED = new Row.Owner(Side.LEGACY, 0, null, 0);

    private static Row.@Nullable Owner owner(@Nullable Row row) {
        return (Row.Owner) row;
    }

    private Owned owned(String key, Row.@Nullable Owner row) {
        return row == null ? Owned.neverMoved(key) : row.owned(key, schedule.nanos());
    }

    private void addMissing(Transaction transaction, String key) {
        transaction.insert("adds the missing row", id(key), new Row.Owner(Side.LEGACY, 0, null, schedule.nanos()));
    }

    @Override
    public Owned of(String key) {
        return reading(transaction -> owned(key, owner(transaction.select("of", id(key)))));
    }

    @Override
    public Map<String, Owned> of(Collection<String> keys) {
        schedule.step("who owns all");
        Map<String, Owned> all = new LinkedHashMap<>();
        keys.forEach(key -> all.put(key, owned(key, owner(database.committed(id(key))))));
        return all;
    }

    @Override
    public Owned freeze(String key, Side to, long epoch) {
        if (planted == Planted.COPY_BEFORE_FREEZE && of(key).side() != to) {
            step("early copy", key, transaction -> earlyCopy.copy(transaction, key, to.other(), to));
        }
        return step("freeze", key, transaction -> {
            if (to == Side.NEW) {
                addMissing(transaction, key);
            }
            return change(
                    "freeze",
                    transaction,
                    key,
                    row -> row.movingTo() != null || row.side() == to
                            ? row
                            : new Row.Owner(row.side(), Math.max(row.epoch() + 1, epoch), to, schedule.nanos()));
        });
    }

    private Owned change(String what, Transaction transaction, String key, UnaryOperator<Row.Owner> change) {
        lock(transaction, what, key, Lock.NO_KEY_UPDATE);
        Row.Owner row = owner(transaction.seen(id(key)));
        if (row == null) {
            return Owned.neverMoved(key);
        }
        Row.Owner after = change.apply(row);
        if (!after.equals(row)) {
            transaction.put(id(key), after);
        }
        return owned(key, after);
    }

    private static void lock(Transaction transaction, String what, String key, Lock lock) {
        if (!transaction.lock(what, id(key), lock, LOCK_LIMIT)) {
            throw new DatabaseException("lock_timeout at: " + what, false);
        }
    }

    @Override
    public boolean drain(Owned frozen, Duration limit) {
        if (planted == Planted.NO_DRAIN) {
            return true;
        }
        return reading(transaction -> {
            Row.Owner row = owner(transaction.select("drain: looks", id(frozen.key())));
            if (row == null || row.movingTo() == null || row.epoch() != frozen.epoch()) {
                return true;
            }
            return transaction.lock("drain", id(frozen.key()), Lock.UPDATE, limit);
        });
    }

    @Override
    public Owned handOver(Owned frozen, KeyCopy<Transaction> copy) {
        String key = frozen.key();
        if (planted == Planted.OPEN_BEFORE_COPY) {
            Owned opened = handOver(frozen, copy, Part.OPEN);
            if (opened.epoch() == frozen.epoch() && opened.side() == frozen.movingTo()) {
                handOver(opened, copy, Part.COPY);
            }
            return opened;
        }
        return handOver(frozen, copy, planted == Planted.COPY_BEFORE_FREEZE ? Part.OPEN : Part.BOTH);
    }

    private enum Part {
        COPY,
        OPEN,
        BOTH
    }

    private Owned handOver(Owned frozen, KeyCopy<Transaction> copy, Part part) {
        String key = frozen.key();
        return step("hand-over", key, transaction -> {
            Lock lock = planted == Planted.NO_DRAIN ? Lock.NO_KEY_UPDATE : Lock.UPDATE;
            lock(transaction, "hand-over: locks", key, lock);
            Row.Owner row = owner(transaction.seen(id(key)));
            if (row == null) {
                return Owned.neverMoved(key);
            }
            Side to = row.movingTo();
            if (planted == Planted.NO_FREEZE_CHECK && frozen.movingTo() != null) {
                to = frozen.movingTo();
            } else if (part == Part.COPY) {
                copy.copy(transaction, key, row.side().other(), row.side());
                return owned(key, row);
            } else if (to == null || row.epoch() != frozen.epoch()) {
                return owned(key, row);
            }
            if (part == Part.BOTH) {
                copy.copy(transaction, key, to.other(), to);
            }
            Row.Owner open = new Row.Owner(to, row.epoch(), null, schedule.nanos());
            schedule.step("hand-over: opens");
            transaction.put(id(key), open);
            return owned(key, open);
        });
    }

    @Override
    public Owned release(Owned frozen) {
        return step(
                "release",
                frozen.key(),
                transaction -> change("release", transaction, frozen.key(), row -> {
                    if (row.movingTo() == null || row.epoch() != frozen.epoch()) {
                        return row;
                    }
                    long epoch = planted == Planted.EPOCH_FALLS ? row.epoch() - 1 : row.epoch();
                    return new Row.Owner(row.side(), epoch, null, schedule.nanos());
                }));
    }

    @Override
    public boolean mirror(String key, KeyCopy<Transaction> copy) {
        return step("mirror", key, transaction -> {
            addMissing(transaction, key);
            if (planted != Planted.MIRROR_WITHOUT_LOCK) {
                lock(transaction, "mirror: locks", key, Lock.UPDATE);
            }
            Row.Owner row = owner(transaction.seen(id(key)));
            if (row == null || row.movingTo() != null) {
                return false;
            }
            copy.copy(transaction, key, row.side(), row.side().other());
            return true;
        });
    }

    @Override
    public List<Owned> frozenFor(Duration atLeast, int limit) {
        schedule.step("frozen keys");
        List<Owned> found = new ArrayList<>();
        database.committed().forEach((id, row) -> {
            if (row instanceof Row.Owner owner) {
                found.add(owned(id.key(), owner));
            }
        });
        return found.stream()
                .filter(owned -> owned.isFrozen() && owned.age().compareTo(atLeast) >= 0)
                .sorted(Comparator.comparing(Owned::age).reversed())
                .limit(limit)
                .toList();
    }

    // ---- Transactions

    /** Once more when nobody knows whether it was committed: each step looks first whether it is done. */
    private <R> R step(String what, String key, Function<Transaction, R> work) {
        try {
            return attempt(what, work);
        } catch (DatabaseException failed) {
            if (!failed.isAtCommit()) {
                throw new NothingHappenedException("the " + what + " of key " + key + " could not be done", failed);
            }
            try {
                return attempt(what, work);
            } catch (DatabaseException again) {
                throw new UnknownOutcomeException(what + " of key " + key, again);
            }
        }
    }

    private <R> R attempt(String what, Function<Transaction, R> work) {
        Transaction transaction = database.begin();
        if (planted != Planted.NO_LIMIT_FOR_MOVERS) {
            transaction.limit(IDLE_LIMIT);
        }
        try {
            R result = work.apply(transaction);
            transaction.commit(what);
            return result;
        } finally {
            transaction.rollback();
        }
    }

    private <R> R reading(Function<Transaction, R> work) {
        Transaction transaction = database.begin();
        transaction.limit(IDLE_LIMIT);
        try {
            return work.apply(transaction);
        } catch (DatabaseException failed) {
            throw new NothingHappenedException("could not be read", failed);
        } finally {
            transaction.rollback();
        }
    }
}
