package io.sluice.migration.simulation;

import io.sluice.migration.branch.Grant;
import io.sluice.migration.branch.NothingHappenedException;
import io.sluice.migration.branch.Outcome;
import io.sluice.migration.branch.UnknownOutcomeException;
import io.sluice.migration.branch.Versioned;
import io.sluice.migration.owner.Fence;
import io.sluice.migration.plan.Side;
import io.sluice.migration.simulation.Database.Lock;
import io.sluice.migration.simulation.Row.Answer;
import io.sluice.migration.simulation.Row.Id;
import io.sluice.migration.simulation.Row.Table;
import java.util.Optional;
import java.util.function.Function;

/** A side as its user would write it: fence, operation, ledger, commit. The two differ in their ledgers. */
abstract class LedgerStock implements Stock {
    private final Database database;
    private final Fence<Transaction> fence;
    private final Planted planted;
    private final Side side;
    private final Table operations;

    private LedgerStock(Database database, Fence<Transaction> fence, Planted planted, Side side, Table operations) {
        this.database = database;
        this.fence = fence;
        this.planted = planted;
        this.side = side;
        this.operations = operations;
    }

    /** Takes as many from the ledger, if they are there. */
    abstract boolean take(Transaction transaction, String key, String operation, int quantity);

    /** Gives back what an operation took, once. Returns how many that were, 0 if there was nothing to give back. */
    abstract int giveBack(Transaction transaction, String key, String reservation);

    abstract Versioned<Integer> look(Transaction transaction, String key);

    @Override
    public Answer reserve(Grant grant, String operationId, int quantity) {
        return write(grant, operationId, transaction -> {
            boolean taken = take(transaction, grant.key(), operationId, quantity);
            transaction.did(new Effect(
                    taken ? Effect.Kind.RESERVE : Effect.Kind.REFUSE, side, grant, operationId, quantity, ""));
            return new Row.Operation(taken ? Answer.RESERVED : Answer.OUT_OF_STOCK, quantity, false);
        });
    }

    @Override
    public Answer release(Grant grant, String operationId, String reservation) {
        return write(grant, operationId, transaction -> {
            int quantity = giveBack(transaction, grant.key(), reservation);
            boolean released = quantity > 0;
            transaction.did(new Effect(
                    released ? Effect.Kind.RELEASE : Effect.Kind.REFUSE,
                    side,
                    grant,
                    operationId,
                    quantity,
                    reservation));
            return new Row.Operation(released ? Answer.RELEASED : Answer.NOT_RESERVED, quantity, false);
        });
    }

    @Override
    public Outcome outcome(Grant grant, String operationId) {
        if (planted == Planted.OUTCOME_OF_THE_MOMENT) {
            Row now = reading(
                    grant,
                    transaction -> transaction.select("outcome: looks", new Id(operations, grant.key(), operationId)));
            return outcome(now == null ? Answer.CANCELLED : ((Row.Operation) now).answer());
        }
        // Whoever asks before it happened takes its place: then it never will.
        return outcome(answer(grant, operationId, transaction -> {
            transaction.did(new Effect(Effect.Kind.CANCEL, side, grant, operationId, 0, ""));
            return new Row.Operation(Answer.CANCELLED, 0, false);
        }));
    }

    private static Outcome outcome(Answer answer) {
        return answer == Answer.RESERVED || answer == Answer.RELEASED ? Outcome.HAPPENED : Outcome.DID_NOT_HAPPEN;
    }

    @Override
    public Optional<String> keyOf(String operationId) {
        return database.committed().keySet().stream()
                .filter(id -> id.table() == operations && id.id().equals(operationId))
                .map(Id::key)
                .findFirst();
    }

    @Override
    public Versioned<Integer> available(Grant grant) {
        return reading(grant, transaction -> look(transaction, grant.key()));
    }

    private Answer write(Grant grant, String operationId, Function<Transaction, Row.Operation> work) {
        Answer answer = answer(grant, operationId, work);
        if (answer == Answer.RESERVED || answer == Answer.RELEASED) {
            return answer;
        }
        throw new Refused(answer);
    }

    /** One transaction: the operation's id is taken first, so that whoever sends it again waits for the first. */
    private Answer answer(Grant grant, String operationId, Function<Transaction, Row.Operation> work) {
        Transaction transaction = database.begin();
        try {
            fence.admitWrite(transaction, grant);
            if (planted == Planted.FENCE_IN_OTHER_TRANSACTION) {
                long admitted = transaction.admittedAt();
                transaction.rollback();
                transaction = database.begin();
                transaction.admitted(admitted);
            }
            Id id = new Id(operations, grant.key(), operationId);
            Row.Operation underWay = new Row.Operation(Answer.UNDER_WAY, 0, false);
            if (!transaction.insert(side.label() + ": takes the operation", id, underWay)) {
                Row known = transaction.select(side.label() + ": operation is known", id);
                return known == null ? Answer.UNDER_WAY : ((Row.Operation) known).answer();
            }
            Row.Operation done = work.apply(transaction);
            transaction.put(id, done);
            transaction.commit("commit at " + side.label());
            return done.answer();
        } catch (DatabaseException failed) {
            if (failed.isAtCommit()) {
                throw new UnknownOutcomeException(operationId, failed);
            }
            throw new NothingHappenedException(failed.toString(), failed);
        } finally {
            transaction.rollback();
        }
    }

    private <R> R reading(Grant grant, Function<Transaction, R> work) {
        Transaction transaction = database.begin();
        try {
            fence.admitRead(transaction, grant);
            return work.apply(transaction);
        } catch (DatabaseException failed) {
            throw new NothingHappenedException(failed.toString(), failed);
        } finally {
            transaction.rollback();
        }
    }

    /** One column for what is available; reservations are operations that were not given back. */
    static final class Legacy extends LedgerStock {
        Legacy(Database database, Fence<Transaction> fence, Planted planted) {
            super(database, fence, planted, Side.LEGACY, Table.LEGACY_OPERATION);
        }

        @Override
        boolean take(Transaction transaction, String key, String operation, int quantity) {
            Id id = new Id(Table.LEGACY_STOCK, key, "");
            boolean[] taken = new boolean[1];
            transaction.update("legacy: takes", id, Row.LegacyStock.class, stock -> {
                taken[0] = stock.available() >= quantity;
                return taken[0] ? new Row.LegacyStock(stock.available() - quantity, stock.version() + 1) : stock;
            });
            return taken[0];
        }

        @Override
        int giveBack(Transaction transaction, String key, String reservation) {
            int[] quantity = new int[1];
            Id operation = new Id(Table.LEGACY_OPERATION, key, reservation);
            transaction.update("legacy: ends the reservation", operation, Row.Operation.class, reserved -> {
                boolean isOpen = reserved.answer() == Answer.RESERVED && !reserved.isReleased();
                quantity[0] = isOpen ? reserved.quantity() : 0;
                return isOpen ? new Row.Operation(reserved.answer(), reserved.quantity(), true) : reserved;
            });
            if (quantity[0] > 0) {
                Id stock = new Id(Table.LEGACY_STOCK, key, "");
                transaction.update(
                        "legacy: gives back",
                        stock,
                        Row.LegacyStock.class,
                        now -> new Row.LegacyStock(now.available() + quantity[0], now.version() + 1));
            }
            return quantity[0];
        }

        @Override
        Versioned<Integer> look(Transaction transaction, String key) {
            Row row = transaction.select("legacy: looks", new Id(Table.LEGACY_STOCK, key, ""));
            return row instanceof Row.LegacyStock stock
                    ? new Versioned<>(stock.available(), stock.version())
                    : new Versioned<>(0, 0);
        }
    }

    /** What is on hand, and a row for each reservation. */
    static final class New extends LedgerStock {
        New(Database database, Fence<Transaction> fence, Planted planted) {
            super(database, fence, planted, Side.NEW, Table.NEW_OPERATION);
        }

        @Override
        boolean take(Transaction transaction, String key, String operation, int quantity) {
            Id id = new Id(Table.NEW_STOCK, key, "");
            // The row is locked for the sum over the reservations, which is a second statement.
            transaction.lock("new: locks the stock", id, Lock.NO_KEY_UPDATE);
            Row row = transaction.select("new: sums up", id);
            int onHand = row instanceof Row.NewStock stock ? stock.onHand() : 0;
            if (onHand - reserved(transaction, key) < quantity) {
                return false;
            }
            transaction.insert(
                    "new: reserves",
                    new Id(Table.NEW_RESERVATION, key, operation),
                    new Row.Reservation(quantity, true));
            count(transaction, id);
            return true;
        }

        @Override
        int giveBack(Transaction transaction, String key, String reservation) {
            int[] quantity = new int[1];
            Id id = new Id(Table.NEW_RESERVATION, key, reservation);
            transaction.update("new: ends the reservation", id, Row.Reservation.class, reserved -> {
                quantity[0] = reserved.isOpen() ? reserved.quantity() : 0;
                return new Row.Reservation(reserved.quantity(), false);
            });
            if (quantity[0] > 0) {
                count(transaction, new Id(Table.NEW_STOCK, key, ""));
            }
            return quantity[0];
        }

        @Override
        Versioned<Integer> look(Transaction transaction, String key) {
            // One query over both tables.
            Row row = transaction.select("new: looks", new Id(Table.NEW_STOCK, key, ""));
            return row instanceof Row.NewStock stock
                    ? new Versioned<>(stock.onHand() - reserved(transaction, key), stock.version())
                    : new Versioned<>(0, 0);
        }

        private static int reserved(Transaction transaction, String key) {
            return transaction.seen(Table.NEW_RESERVATION, key, Row.Reservation.class).values().stream()
                    .mapToInt(each -> each.isOpen() ? each.quantity() : 0)
                    .sum();
        }

        private static void count(Transaction transaction, Id id) {
            transaction.update(
                    "new: counts",
                    id,
                    Row.NewStock.class,
                    stock -> new Row.NewStock(stock.onHand(), stock.version() + 1));
        }
    }
}
