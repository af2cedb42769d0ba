package io.sluice.migration.kit;

import io.sluice.migration.branch.Grant;
import io.sluice.migration.kit.MemoryStore.Hold;
import io.sluice.migration.owner.Amounts;
import io.sluice.migration.owner.Fence;
import io.sluice.migration.owner.KeyCopy;
import io.sluice.migration.owner.Owned;
import io.sluice.migration.owner.OwnerChangedException;
import io.sluice.migration.owner.Owners;
import io.sluice.migration.plan.Keys;
import io.sluice.migration.plan.Side;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Owners and fence in memory, for tests of branches, copies and routers without a database. They keep the promises of the
 * interfaces, with threads that really wait for each other, and stand the same tests as those of PostgreSQL. What the
 * process forgets when it ends is all that they forget.
 *
 * <pre>{@code
 * MemoryStore store = new MemoryStore();
 * InMemoryOwners owners = new InMemoryOwners(store);
 * // in a write of a branch:
 * store.run(transaction -> {
 *     owners.admitWrite(transaction, grant);
 *     ...
 * });
 * }</pre>
 */
public final class InMemoryOwners implements Owners<MemoryTransaction>, Fence<MemoryTransaction> {
    private final MemoryStore store;
    private final LongSupplier nanos;
    private final MemoryTable<Row> rows = new MemoryTable<>();

    public InMemoryOwners(MemoryStore store) {
        this(store, System::nanoTime);
    }

    /** @param nanos the clock by which rows get older, in nanoseconds */
    public InMemoryOwners(MemoryStore store, LongSupplier nanos) {
        this.store = store;
        this.nanos = nanos;
    }

    @Override
    public void admitWrite(MemoryTransaction transaction, Grant grant) {
        if (grant.isShadow()) {
            throw new IllegalArgumentException("a shadow's grant must not write key " + grant.key());
        }
        // The hold comes first: what is read under it stays so until the transaction ends, or is known to the drain.
        transaction.hold(rows, grant.key(), Hold.SHARE);
        Owned owned = owned(transaction, grant.key());
        if (owned.isFrozen() || !holds(grant, owned)) {
            throw new OwnerChangedException(grant, owned);
        }
    }

    @Override
    public void admitRead(MemoryTransaction transaction, Grant grant) {
        if (grant.isShadow()) {
            return;
        }
        Owned owned = owned(transaction, grant.key());
        // A freeze raises the epoch before anything has moved.
        boolean isOwnersUntilMoved = owned.isFrozen() && owned.side() == grant.side();
        if (!isOwnersUntilMoved && !holds(grant, owned)) {
            throw new OwnerChangedException(grant, owned);
        }
    }

    @Override
    public Owned of(String key) {
        Keys.require(key);
        return store.run(transaction -> owned(transaction, key));
    }

    @Override
    public Map<String, Owned> of(Collection<String> keys) {
        Map<String, Owned> owned = new LinkedHashMap<>();
        keys.forEach(key -> owned.put(key, of(key)));
        return owned;
    }

    @Override
    public Owned freeze(String key, Side to, long epoch) {
        Keys.require(key);
        return store.run(transaction -> {
            transaction.hold(rows, key, Hold.CHANGE);
            Owned before = owned(transaction, key);
            if (before.isFrozen() || before.side() == to) {
                return before;
            }
            long later = Math.max(before.epoch() + 1, epoch);
            return put(
                    transaction, key, new Row(before.side(), later, to, nanos.getAsLong(), handed(transaction, key)));
        });
    }

    @Override
    public boolean drain(Owned frozen, Duration limit) {
        try (MemoryTransaction transaction = store.begin()) {
            return transaction.hold(rows, frozen.key(), Hold.ALONE, limit);
        }
    }

    @Override
    public Owned handOver(Owned frozen, KeyCopy<MemoryTransaction> copy) {
        return store.run(transaction -> {
            String key = frozen.key();
            transaction.hold(rows, key, Hold.ALONE);
            Owned now = owned(transaction, key);
            Side to = now.movingTo();
            if (to == null || now.epoch() != frozen.epoch()) {
                return now;
            }
            Amounts handed = copy.copy(transaction, key, now.side(), to);
            return put(transaction, key, new Row(to, now.epoch(), null, nanos.getAsLong(), handed));
        });
    }

    @Override
    public Owned release(Owned frozen) {
        return store.run(transaction -> {
            String key = frozen.key();
            transaction.hold(rows, key, Hold.CHANGE);
            Owned now = owned(transaction, key);
            if (!now.isFrozen() || now.epoch() != frozen.epoch()) {
                return now;
            }
            // The epoch stays, so that the next move gets a later one and a mover that was suspended in this one is
            // refused.
            return put(
                    transaction,
                    key,
                    new Row(now.side(), now.epoch(), null, nanos.getAsLong(), handed(transaction, key)));
        });
    }

    @Override
    public boolean mirror(String key, KeyCopy<MemoryTransaction> copy) {
        Keys.require(key);
        return store.run(transaction -> {
            transaction.hold(rows, key, Hold.ALONE);
            Owned now = owned(transaction, key);
            if (now.isFrozen()) {
                return false;
            }
            Amounts handed = copy.copy(transaction, key, now.side(), now.side().other());
            long since = nanos.getAsLong() - now.age().toNanos();
            put(transaction, key, new Row(now.side(), now.epoch(), null, since, handed));
            return true;
        });
    }

    @Override
    public List<Owned> frozenFor(Duration atLeast, int limit) {
        // One instant for all, or the order of two that are close would be that of looking at them.
        long now = nanos.getAsLong();
        return rows.committed().entrySet().stream()
                .map(row -> row.getValue().owned(row.getKey(), now))
                .filter(owned -> owned.isFrozen() && owned.age().compareTo(atLeast) >= 0)
                .sorted(Comparator.comparing(Owned::age).reversed())
                .limit(limit)
                .toList();
    }

    /** What was handed over or mirrored at the last copy of the key; {@link Amounts#NONE} if there was none. */
    public Amounts handedOver(String key) {
        Keys.require(key);
        return store.run(transaction -> handed(transaction, key));
    }

    private static boolean holds(Grant grant, Owned owned) {
        return grant.side() == owned.side() && grant.epoch() >= owned.epoch();
    }

    private Owned put(MemoryTransaction transaction, String key, Row row) {
        transaction.put(rows, key, row);
        return row.owned(key, row.sinceNanos());
    }

    private Owned owned(MemoryTransaction transaction, String key) {
        Optional<Row> row = transaction.get(rows, key);
        return row.isPresent() ? row.get().owned(key, nanos.getAsLong()) : Owned.neverMoved(key);
    }

    private Amounts handed(MemoryTransaction transaction, String key) {
        return transaction.get(rows, key).map(Row::handed).orElse(Amounts.NONE);
    }

    private record Row(Side side, long epoch, @Nullable Side movingTo, long sinceNanos, Amounts handed) {
        Owned owned(String key, long now) {
            return new Owned(key, side, epoch, movingTo, Duration.ofNanos(Math.max(now - sinceNanos, 0)));
        }
    }
}
