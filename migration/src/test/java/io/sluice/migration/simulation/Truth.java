package io.sluice.migration.simulation;

import io.sluice.migration.owner.Owned;
import io.sluice.migration.plan.Side;
import io.sluice.migration.simulation.Row.Answer;
import io.sluice.migration.simulation.Row.Id;
import io.sluice.migration.simulation.Row.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What has truly happened: one plain ledger per key, told of every commit in its order. Everything that must never be is
 * held against it at each commit, and with every word that a client is told.
 */
final class Truth {
    private static final Row.Owner NEVER_MOVED = new Row.Owner(Side.LEGACY, 0, null, 0);

    private final Schedule schedule;
    private final Map<String, Key> keys = new LinkedHashMap<>();
    private final Set<String> toldNothing = new TreeSet<>();
    private final Set<String> toldNever = new TreeSet<>();
    private @Nullable Database database;

    private record Seen(long step, int available) {}

    private static final class Key {
        final String name;
        final int initial;
        int available;
        final Map<String, Integer> open = new TreeMap<>();
        final Map<String, Answer> answers = new TreeMap<>();
        /** Where it has been open, and with which epochs. */
        final Set<String> opened = new TreeSet<>();

        final List<Seen> history = new ArrayList<>();
        /** The step at which it changed sides last. */
        long movedAt = -1;
        /** The epoch with which it is open, or was before it was frozen, and the step since which that is so. */
        long openEpoch;

        long openedAt = -1;

        Key(String name, int initial) {
            this.name = name;
            this.initial = initial;
            this.available = initial;
            history.add(new Seen(0, initial));
        }
    }

    Truth(Schedule schedule) {
        this.schedule = schedule;
    }

    /** Fills the tables: everything is legacy's. */
    void start(Database filled, Map<String, Integer> stock) {
        database = filled;
        stock.forEach((key, amount) -> {
            keys.put(key, new Key(key, amount));
            filled.put(new Id(Table.LEGACY_STOCK, key, ""), new Row.LegacyStock(amount, 1));
        });
    }

    private Database database() {
        if (database == null) {
            throw new IllegalStateException("not started");
        }
        return database;
    }

    private Key key(String name) {
        Key key = keys.get(name);
        if (key == null) {
            throw new IllegalStateException("no key " + name);
        }
        return key;
    }

    private Row.Owner owner(String key) {
        Row row = database().committed(new Id(Table.OWNER, key, ""));
        return row == null ? NEVER_MOVED : (Row.Owner) row;
    }

    // ---- What is committed

    /** Before anybody else sees it: whoever owns a key now must have written it. */
    void beforeCommit(Transaction transaction) {
        for (Effect effect : transaction.effects()) {
            Key key = key(effect.grant().key());
            Row.Owner owner = owner(key.name);
            if (effect.grant().isShadow()) {
                throw new Violation("a shadow has written: " + effect);
            }
            if (owner.side() != effect.side()) {
                throw new Violation("two writers: " + effect + " is committed, but the key is " + owner);
            }
            if (transaction.admittedAt() <= key.movedAt) {
                throw new Violation("two writers: " + effect + " passed the fence before the key moved to this side");
            }
            if (effect.grant().epoch() < key.openEpoch && transaction.admittedAt() > key.openedAt) {
                throw new Violation("a write that knows less than the fence: " + effect + " at epoch " + key.openEpoch);
            }
            happens(key, effect);
            key.history.add(new Seen(schedule.steps(), key.available));
        }
        transaction.changes().forEach((id, row) -> {
            if (row instanceof Row.Owner after) {
                ownerChanges(key(id.key()), owner(id.key()), after);
            }
        });
    }

    private void happens(Key key, Effect effect) {
        String id = effect.operation();
        boolean isReal = effect.kind() == Effect.Kind.RESERVE || effect.kind() == Effect.Kind.RELEASE;
        if (key.answers.containsKey(id)) {
            throw new Violation("happened twice: " + effect + ", before that it was " + key.answers.get(id));
        }
        if (isReal && toldNever.contains(id)) {
            throw new Violation("told that it did not happen, and it happens: " + effect);
        }
        if (isReal && toldNothing.contains(id)) {
            throw new Violation("told that nothing happened, and it happens: " + effect);
        }
        switch (effect.kind()) {
            case RESERVE -> {
                if (key.available < effect.quantity()) {
                    throw new Violation("oversold: " + effect + " of " + key.available);
                }
                key.available -= effect.quantity();
                key.open.put(id, effect.quantity());
                key.answers.put(id, Answer.RESERVED);
            }
            case RELEASE -> {
                Integer reserved = key.open.remove(effect.reservation());
                if (reserved == null || reserved != effect.quantity()) {
                    throw new Violation("released what is not reserved: " + effect);
                }
                key.available += reserved;
                key.answers.put(id, Answer.RELEASED);
            }
            case REFUSE -> {
                boolean isRelease = !effect.reservation().isEmpty();
                if (isRelease ? key.open.containsKey(effect.reservation()) : key.available >= effect.quantity()) {
                    throw new Violation("refused what can be done: " + effect);
                }
                key.answers.put(id, isRelease ? Answer.NOT_RESERVED : Answer.OUT_OF_STOCK);
            }
            case CANCEL -> key.answers.put(id, Answer.CANCELLED);
        }
        schedule.count("committed " + effect.kind() + " at " + effect.side());
    }

    private void ownerChanges(Key key, Row.Owner before, Row.Owner after) {
        if (after.epoch() < before.epoch()) {
            throw new Violation("the epoch fell: " + key.name + " from " + before + " to " + after);
        }
        if (after.side() != before.side()) {
            if (before.movingTo() != after.side() || before.epoch() != after.epoch()) {
                throw new Violation(
                        "a hand-over of a key that was not frozen: " + key.name + " from " + before + " to " + after);
            }
            key.movedAt = schedule.steps();
            schedule.count(after.side() == Side.NEW ? "moved to new" : "moved to legacy");
        } else if (before.movingTo() != null && after.movingTo() == null) {
            schedule.count("move given up");
        }
        if (after.movingTo() == null && after.epoch() != key.openEpoch) {
            key.openEpoch = after.epoch();
            key.openedAt = schedule.steps();
        }
        if (after.movingTo() == null) {
            key.opened.add(after.side() + " at " + after.epoch());
        }
    }

    /** When everybody sees it: the owner's ledger says what has happened. */
    void afterCommit(Transaction transaction) {
        Set<String> touched = new TreeSet<>();
        transaction.changes().keySet().forEach(id -> touched.add(id.key()));
        touched.forEach(name -> requireLedger(key(name), owner(name).side()));
    }

    private void requireLedger(Key key, Side side) {
        Map<String, Integer> open = new TreeMap<>();
        Map<String, Answer> answers = new TreeMap<>();
        boolean isNew = side == Side.NEW;
        operations(isNew ? Table.NEW_OPERATION : Table.LEGACY_OPERATION, key.name)
                .forEach((id, operation) -> {
                    answers.put(id, operation.answer());
                    if (!isNew && operation.answer() == Answer.RESERVED && !operation.isReleased()) {
                        open.put(id, operation.quantity());
                    }
                });
        Row stock = database().committed(new Id(isNew ? Table.NEW_STOCK : Table.LEGACY_STOCK, key.name, ""));
        int available = stock instanceof Row.LegacyStock legacy ? legacy.available() : 0;
        if (isNew) {
            Database.of(database().committed(), Table.NEW_RESERVATION, key.name, Row.Reservation.class)
                    .forEach((id, reservation) -> {
                        if (reservation.isOpen()) {
                            open.put(id, reservation.quantity());
                        }
                    });
            available = stock instanceof Row.NewStock there ? there.onHand() - sum(open) : 0;
        }
        boolean isKept = available + sum(open) == key.initial;
        if (!isKept || available != key.available || !open.equals(key.open) || !answers.equals(key.answers)) {
            throw new Violation("the ledger is not what happened: " + key.name + " at " + side + " has " + available
                    + " available, reserved " + open + ", operations " + answers + "; it should have " + key.available
                    + ", " + key.open + ", " + key.answers);
        }
    }

    private Map<String, Row.Operation> operations(Table table, String key) {
        return Database.of(database().committed(), table, key, Row.Operation.class);
    }

    private static int sum(Map<String, Integer> open) {
        return open.values().stream().mapToInt(Integer::intValue).sum();
    }

    // ---- What clients are told

    /** It has happened, or was refused by a side. */
    void told(String name, String operation, Answer answer) {
        Answer truly = key(name).answers.get(operation);
        schedule.count("told " + answer);
        if (truly != answer) {
            throw new Violation("told that it is " + answer + ", and it is " + truly + ": " + operation);
        }
    }

    /** Nothing happened and nothing will, said by the only request that there was. */
    void toldNothing(String name, String operation) {
        Answer truly = key(name).answers.get(operation);
        schedule.count("told nothing happened");
        toldNothing.add(operation);
        if (truly != null) {
            throw new Violation("told that nothing happened, and it had happened: " + operation + " is " + truly);
        }
    }

    /** The outcome, finally. */
    void toldOutcome(String name, String operation, boolean happened) {
        Answer truly = key(name).answers.get(operation);
        boolean has = truly == Answer.RESERVED || truly == Answer.RELEASED;
        schedule.count(happened ? "asked and it happened" : "asked and it never happens");
        if (happened != has) {
            throw new Violation("told that it " + (happened ? "happened" : "did not happen") + ", and it is " + truly
                    + ": " + operation);
        }
        if (!happened) {
            toldNever.add(operation);
        }
    }

    /** A mover says that a key is open there. */
    void toldMoved(Owned now) {
        if (now.isFrozen() || !key(now.key()).opened.contains(now.side() + " at " + now.epoch())) {
            throw new Violation("told that it was moved, and it never was: " + now);
        }
    }

    /** A read's answer must have been right at some moment since it began. */
    void read(String name, int available, long since) {
        schedule.count("told available");
        List<Seen> history = key(name).history;
        for (int i = history.size() - 1; i >= 0; i--) {
            if (history.get(i).available() == available) {
                return;
            }
            if (history.get(i).step() < since) {
                break;
            }
        }
        throw new Violation("read what was not so: " + available + " of " + name);
    }

    // ---- The end

    /** Everything has come to rest. */
    void requireEnd() {
        keys.values().forEach(key -> {
            Row.Owner owner = owner(key.name);
            if (owner.movingTo() != null) {
                throw new Violation("a key is still frozen: " + key.name + " is " + owner);
            }
            requireLedger(key, owner.side());
        });
    }

    Side side(String name) {
        return owner(name).side();
    }
}
