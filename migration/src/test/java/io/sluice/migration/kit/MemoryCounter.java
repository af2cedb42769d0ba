package io.sluice.migration.kit;

import io.sluice.migration.branch.BranchException;
import io.sluice.migration.branch.Grant;
import io.sluice.migration.branch.NothingHappenedException;
import io.sluice.migration.branch.Outcome;
import io.sluice.migration.branch.UnknownOutcomeException;
import io.sluice.migration.branch.Versioned;
import io.sluice.migration.kit.MemoryStore.Hold;
import io.sluice.migration.owner.Fence;
import io.sluice.migration.owner.OwnerChangedException;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A counter in memory that keeps the contract, but for one flaw if it is given one. */
final class MemoryCounter implements Counter {
    static final long TOP = 1_000_000;

    /** A flaw that depends on what comes between gets the time for it. */
    private static final long GAP_NANOS = 3_000_000;

    record Count(long value, long version) {}

    record Operation(String key, long by, long answer, boolean isCancelled, boolean isTakenBack) {}

    /** What one side holds. */
    record Ledger(MemoryTable<Count> counts, MemoryTable<Operation> operations) {
        Ledger() {
            this(new MemoryTable<>(), new MemoryTable<>());
        }
    }

    private final MemoryStore store;
    private final Ledger ledger;
    private final Fence<MemoryTransaction> fence;
    private final @Nullable Fault fault;
    private final @Nullable Flaw flaw;

    MemoryCounter(
            MemoryStore store,
            Ledger ledger,
            Fence<MemoryTransaction> fence,
            @Nullable Fault fault,
            @Nullable Flaw flaw) {
        this.store = store;
        this.ledger = ledger;
        this.fence = fence;
        this.fault = fault;
        this.flaw = flaw;
    }

    @Override
    public long up(Grant grant, String operationId, long by) {
        return write(grant, operationId, transaction -> {
            Optional<Operation> known = known(transaction, operationId);
            if (known.isPresent()) {
                return answer(known.get(), grant, by);
            }
            Count count = change(transaction, grant, by);
            put(transaction, operationId, new Operation(grant.key(), by, count.value(), false, false));
            return count.value();
        });
    }

    @Override
    public long takeBack(Grant grant, String operationId, String upId) {
        return write(grant, operationId, transaction -> {
            Optional<Operation> known = known(transaction, operationId);
            transaction.hold(ledger.operations(), upId, Hold.CHANGE);
            Operation up = transaction
                    .get(ledger.operations(), upId)
                    .filter(each -> each.key().equals(grant.key()) && !each.isCancelled())
                    .orElseThrow(() -> new NoException("nothing to take back"));
            if (known.isPresent()) {
                return answer(known.get(), grant, -up.by());
            }
            if (up.isTakenBack() && flaw != Flaw.FORGETS_IDS) {
                throw new NoException("taken back already");
            }
            put(transaction, upId, new Operation(up.key(), up.by(), up.answer(), false, true));
            Count count = change(transaction, grant, -up.by());
            put(transaction, operationId, new Operation(grant.key(), -up.by(), count.value(), false, false));
            return count.value();
        });
    }

    private Optional<Operation> known(MemoryTransaction transaction, String operationId) {
        if (flaw == Flaw.FORGETS_IDS) {
            return Optional.empty();
        }
        if (flaw == Flaw.LOOKS_FOR_THE_ID_TOO_EARLY) {
            Optional<Operation> known = transaction.get(ledger.operations(), operationId);
            gap();
            return known;
        }
        transaction.hold(ledger.operations(), operationId, Hold.CHANGE);
        return transaction.get(ledger.operations(), operationId);
    }

    private static long answer(Operation known, Grant grant, long by) {
        if (known.isCancelled()) {
            throw new NoException("cancelled");
        }
        if (!known.key().equals(grant.key()) || known.by() != by) {
            throw new NoException("the id stands for something else");
        }
        return known.answer();
    }

    private Count change(MemoryTransaction transaction, Grant grant, long by) {
        Count before;
        if (flaw == Flaw.READS_BEFORE_IT_LOCKS) {
            before = count(transaction, grant.key());
            gap();
            transaction.hold(ledger.counts(), grant.key(), Hold.CHANGE);
        } else {
            transaction.hold(ledger.counts(), grant.key(), Hold.CHANGE);
            before = count(transaction, grant.key());
        }
        Count after = new Count(before.value() + by, before.version() + (flaw == Flaw.COUNTS_NO_VERSION ? 0 : 1));
        boolean isTooMuch = after.value() > TOP;
        if (!isTooMuch || flaw == Flaw.WRITES_BEFORE_IT_SAYS_NO) {
            transaction.put(ledger.counts(), grant.key(), after);
        }
        if (isTooMuch) {
            throw new NoException("above the top");
        }
        return after;
    }

    private void put(MemoryTransaction transaction, String operationId, Operation operation) {
        transaction.put(ledger.operations(), operationId, operation);
    }

    @Override
    public Versioned<Long> count(Grant grant) {
        return store.run(transaction -> {
            if (flaw != Flaw.ASKS_NO_FENCE) {
                fence.admitRead(transaction, grant);
            }
            Count count = count(transaction, grant.key());
            return new Versioned<>(count.value(), count.version());
        });
    }

    private Count count(MemoryTransaction transaction, String key) {
        return transaction.get(ledger.counts(), key).orElseThrow(() -> new NoException("no such counter"));
    }

    @Override
    public Outcome outcome(Grant grant, String operationId) {
        if (flaw == Flaw.FORGETS_WHAT_HAPPENED) {
            return write(grant, operationId, transaction -> Outcome.DID_NOT_HAPPEN);
        }
        if (flaw == Flaw.TELLS_THE_OUTCOME_TOO_EARLY) {
            boolean isKnown = store.run(transaction ->
                    transaction.get(ledger.operations(), operationId).isPresent());
            if (!isKnown) {
                gap();
                cancelUnlessKnown(grant, operationId);
                return Outcome.DID_NOT_HAPPEN;
            }
        }
        return cancelUnlessKnown(grant, operationId);
    }

    private Outcome cancelUnlessKnown(Grant grant, String operationId) {
        return write(grant, operationId, transaction -> {
            transaction.hold(ledger.operations(), operationId, Hold.CHANGE);
            Optional<Operation> known = transaction.get(ledger.operations(), operationId);
            if (known.isEmpty() && flaw != Flaw.LEAVES_THE_OUTCOME_OPEN) {
                put(transaction, operationId, new Operation(grant.key(), 0, 0, true, false));
            }
            return known.isEmpty() || known.get().isCancelled() ? Outcome.DID_NOT_HAPPEN : Outcome.HAPPENED;
        });
    }

    @Override
    public Optional<String> keyOf(String operationId) {
        if (flaw == Flaw.KNOWS_NO_KEYS) {
            return Optional.empty();
        }
        return store.run(
                transaction -> transaction.get(ledger.operations(), operationId).map(Operation::key));
    }

    private <R> R write(Grant grant, String operationId, Function<MemoryTransaction, R> work) {
        if (fault == Fault.UNREACHABLE) {
            throw new NothingHappenedException("unreachable", null);
        }
        try (MemoryTransaction transaction = store.begin()) {
            admit(transaction, grant);
            R result;
            try {
                result = work.apply(transaction);
            } catch (BranchException answered) {
                if (flaw == Flaw.WRITES_BEFORE_IT_SAYS_NO) {
                    transaction.commit();
                }
                throw answered;
            }
            if (fault == Fault.BEFORE_COMMIT) {
                if (flaw == Flaw.KEEPS_HALF_OF_A_BROKEN_WRITE) {
                    transaction.commit();
                }
                throw new NothingHappenedException("broken before the commit", null);
            }
            transaction.commit();
            if (fault == Fault.ANSWER_LOST) {
                throw flaw == Flaw.CALLS_A_BROKEN_COMMIT_NOTHING
                        ? new NothingHappenedException("broken behind the commit", null)
                        : new UnknownOutcomeException(operationId, null);
            }
            return result;
        }
    }

    private void admit(MemoryTransaction transaction, Grant grant) {
        if (flaw == Flaw.ASKS_NO_FENCE) {
            return;
        }
        if (flaw == Flaw.KNOWS_NO_EPOCH) {
            fence.admitWrite(transaction, Grant.of(grant.key(), grant.side(), Long.MAX_VALUE));
            return;
        }
        if (flaw == Flaw.ASKS_THE_FENCE_IN_ANOTHER_TRANSACTION || flaw == Flaw.LOSES_WRITES_TO_MOVES) {
            store.run(other -> {
                fence.admitWrite(other, grant);
                return grant;
            });
            gap();
            return;
        }
        if (flaw == Flaw.TAKES_A_SHADOW_FOR_A_WRITER && grant.isShadow()) {
            return;
        }
        try {
            fence.admitWrite(transaction, grant);
        } catch (OwnerChangedException refused) {
            boolean isOnlyFrozen = refused.owned().isFrozen() && refused.owned().side() == grant.side();
            if (flaw != Flaw.WRITES_FROZEN_KEYS || !isOnlyFrozen) {
                throw refused;
            }
        }
    }

    private static void gap() {
        LockSupport.parkNanos(GAP_NANOS);
    }
}
