package io.sluice.migration.kit;

import io.sluice.migration.branch.Branch;
import io.sluice.migration.branch.BusinessAnswerException;
import io.sluice.migration.branch.Grant;
import io.sluice.migration.branch.NothingHappenedException;
import io.sluice.migration.branch.Outcome;
import io.sluice.migration.branch.UnknownOutcomeException;
import io.sluice.migration.branch.Versioned;
import io.sluice.migration.kit.MemoryStore.Hold;
import io.sluice.migration.owner.Amounts;
import io.sluice.migration.owner.KeyCopy;
import io.sluice.migration.plan.Side;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;

/** One side of a stock in memory, which keeps the contract of a branch and can be told to fail in each of its ways. */
public final class MemoryStock implements Branch {
    /** How the next calls fail. */
    public enum Mood {
        FINE,
        UNAVAILABLE,
        /** Does it, but the answer is lost. */
        ANSWER_LOST,
        /** Does nothing, which its caller can't know. */
        REQUEST_LOST,
        /** Does it, then throws what no contract names. */
        BROKEN
    }

    /** What was taken of a key, by operation; an operation that was called off took nothing. */
    public record Row(int available, long version, Map<String, Integer> taken) {
        public static Row of(int available) {
            return new Row(available, 0, Map.of());
        }

        Row with(String operationId, int quantity) {
            Map<String, Integer> all = new HashMap<>(taken);
            all.put(operationId, quantity);
            return new Row(available - quantity, version + 1, Map.copyOf(all));
        }
    }

    public static final class OutOfStockException extends BusinessAnswerException {
        private static final long serialVersionUID = 1L;

        OutOfStockException(String key) {
            super("out of stock: " + key);
        }
    }

    private final MemoryStore store;
    private final InMemoryOwners owners;
    private final MemoryTable<Row> rows = new MemoryTable<>();
    private final List<Grant> asked = new CopyOnWriteArrayList<>();
    private volatile Mood mood = Mood.FINE;
    private volatile Runnable onKeyOf = () -> {};
    private volatile BiConsumer<String, Grant> onTake = (operationId, grant) -> {};

    public MemoryStock(MemoryStore store, InMemoryOwners owners) {
        this.store = store;
        this.owners = owners;
    }

    /** The copy of a key between two such sides. */
    public static KeyCopy<MemoryTransaction> copy(MemoryStock legacy, MemoryStock newer) {
        return (transaction, key, from, to) -> {
            Row row = transaction
                    .get((from == Side.LEGACY ? legacy : newer).rows, key)
                    .orElse(Row.of(0));
            transaction.put((to == Side.LEGACY ? legacy : newer).rows, key, row);
            return Amounts.of(Map.of("available", (long) row.available()));
        };
    }

    public void stock(String key, int available) {
        store.run(transaction -> {
            transaction.put(rows, key, Row.of(available));
            return Boolean.TRUE;
        });
    }

    public void become(Mood next) {
        mood = next;
    }

    /** Called at the start of each take, before anything else. */
    public void onTake(BiConsumer<String, Grant> action) {
        onTake = action;
    }

    /** Called at the start of each question for a key. */
    public void onKeyOf(Runnable action) {
        onKeyOf = action;
    }

    /** As a copy does that takes a key away from where it was. */
    public void forget(String key) {
        store.run(transaction -> {
            transaction.remove(rows, key);
            return Boolean.TRUE;
        });
    }

    /** The grants of all writes and reads that got here, refused ones included. */
    public List<Grant> asked() {
        return List.copyOf(asked);
    }

    public Map<String, Row> rows() {
        return rows.committed();
    }

    public int take(Grant grant, String operationId, int quantity) {
        asked.add(grant);
        onTake.accept(operationId, grant);
        Mood now = mood;
        if (now == Mood.UNAVAILABLE) {
            throw new NothingHappenedException("stock is not available", null);
        }
        if (now == Mood.REQUEST_LOST) {
            throw new UnknownOutcomeException(operationId, null);
        }
        int left = store.run(transaction -> {
            owners.admitWrite(transaction, grant);
            transaction.hold(rows, grant.key(), Hold.CHANGE);
            Row row = transaction.get(rows, grant.key()).orElse(Row.of(0));
            if (row.taken().containsKey(operationId)) {
                return row.available();
            }
            if (row.available() < quantity) {
                throw new OutOfStockException(grant.key());
            }
            Row next = row.with(operationId, quantity);
            transaction.put(rows, grant.key(), next);
            return next.available();
        });
        if (now == Mood.ANSWER_LOST) {
            throw new UnknownOutcomeException(operationId, null);
        }
        if (now == Mood.BROKEN) {
            throw new IllegalStateException("the connection broke behind the request");
        }
        return left;
    }

    /** Puts back what an earlier operation took. */
    public int putBack(Grant grant, String earlierId) {
        asked.add(grant);
        return store.run(transaction -> {
            owners.admitWrite(transaction, grant);
            transaction.hold(rows, grant.key(), Hold.CHANGE);
            Row row = transaction.get(rows, grant.key()).orElse(Row.of(0));
            int back = row.taken().getOrDefault(earlierId, 0);
            Row next = row.with(earlierId, -back);
            transaction.put(rows, grant.key(), new Row(next.available(), next.version(), withZero(next, earlierId)));
            return next.available();
        });
    }

    public Versioned<Integer> available(Grant grant) {
        asked.add(grant);
        if (mood == Mood.UNAVAILABLE) {
            throw new NothingHappenedException("stock is not available", null);
        }
        if (mood == Mood.BROKEN) {
            throw new IllegalStateException("no answer");
        }
        return store.run(transaction -> {
            owners.admitRead(transaction, grant);
            Row row = transaction.get(rows, grant.key()).orElse(Row.of(0));
            return new Versioned<>(row.available(), row.version());
        });
    }

    @Override
    public Outcome outcome(Grant grant, String operationId) {
        if (mood == Mood.UNAVAILABLE) {
            throw new NothingHappenedException("stock is not available", null);
        }
        return store.run(transaction -> {
            owners.admitWrite(transaction, grant);
            transaction.hold(rows, grant.key(), Hold.CHANGE);
            Row row = transaction.get(rows, grant.key()).orElse(Row.of(0));
            Integer taken = row.taken().get(operationId);
            if (taken == null) {
                transaction.put(rows, grant.key(), row.with(operationId, 0));
            }
            return taken == null || taken == 0 ? Outcome.DID_NOT_HAPPEN : Outcome.HAPPENED;
        });
    }

    @Override
    public Optional<String> keyOf(String operationId) {
        onKeyOf.run();
        if (mood == Mood.UNAVAILABLE) {
            throw new NothingHappenedException("stock is not available", null);
        }
        return rows.committed().entrySet().stream()
                .filter(row -> row.getValue().taken().containsKey(operationId))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    private static Map<String, Integer> withZero(Row row, String operationId) {
        Map<String, Integer> all = new HashMap<>(row.taken());
        all.put(operationId, 0);
        return Map.copyOf(all);
    }
}
