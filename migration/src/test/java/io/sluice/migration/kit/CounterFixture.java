package io.sluice.migration.kit;

import io.sluice.migration.branch.Grant;
import io.sluice.migration.branch.Versioned;
import io.sluice.migration.kit.MemoryCounter.Count;
import io.sluice.migration.kit.MemoryCounter.Ledger;
import io.sluice.migration.kit.MemoryCounter.Operation;
import io.sluice.migration.owner.Amounts;
import io.sluice.migration.owner.Fence;
import io.sluice.migration.owner.KeyCopy;
import io.sluice.migration.owner.Owners;
import io.sluice.migration.plan.Side;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Two counters in memory, of which the new one has a flaw, and their copy. */
final class CounterFixture implements BranchFixture<Counter, MemoryTransaction> {
    private final MemoryStore store = new MemoryStore();
    private final InMemoryOwners owners = new InMemoryOwners(store);
    private final Map<Side, Ledger> ledgers = Map.of(Side.LEGACY, new Ledger(), Side.NEW, new Ledger());
    private final AtomicInteger keys = new AtomicInteger();
    private final @Nullable Flaw flaw;

    CounterFixture(@Nullable Flaw flaw) {
        this.flaw = flaw;
    }

    @Override
    public Owners<MemoryTransaction> owners() {
        return owners;
    }

    @Override
    public Fence<MemoryTransaction> fence() {
        return owners;
    }

    @Override
    public KeyCopy<MemoryTransaction> copy() {
        return this::copied;
    }

    private Amounts copied(MemoryTransaction transaction, String key, Side from, Side to) {
        Ledger source = ledgers.get(from);
        Ledger target = ledgers.get(to);
        Count count = transaction.get(source.counts(), key).orElseThrow();
        long before = flaw == Flaw.ADDS_WHAT_IT_COPIES
                ? transaction.get(target.counts(), key).map(Count::value).orElse(0L)
                : 0;
        long version = flaw == Flaw.COPIES_NO_VERSION ? 0 : count.version();
        transaction.put(target.counts(), key, new Count(before + count.value(), version));
        // Nobody writes the key meanwhile, so what is committed is all there is of it.
        source.operations().committed().forEach((id, operation) -> {
            if (operation.key().equals(key) && isCopied(operation)) {
                transaction.put(target.operations(), id, operation);
            }
        });
        return Amounts.of(Map.of("count", before + count.value()));
    }

    private boolean isCopied(Operation operation) {
        return flaw != Flaw.COPIES_NO_OPERATIONS && !(flaw == Flaw.COPIES_NO_CANCELLED && operation.isCancelled());
    }

    @Override
    public Counter branch(Side side, Fence<MemoryTransaction> fence) {
        return new MemoryCounter(store, ledgers.get(side), fence, null, side == Side.NEW ? flaw : null);
    }

    @Override
    public Counter failing(Side side, Fence<MemoryTransaction> fence, Fault fault) {
        return new MemoryCounter(store, ledgers.get(side), fence, fault, side == Side.NEW ? flaw : null);
    }

    @Override
    public String freshKey() {
        String key = "key-" + keys.incrementAndGet();
        return store.run(transaction -> {
            transaction.put(ledgers.get(Side.LEGACY).counts(), key, new Count(1000, 0));
            return key;
        });
    }

    @Override
    public Object write(Counter branch, Grant grant, String operationId) {
        return branch.up(grant, operationId, 1);
    }

    @Override
    public Object undo(Counter branch, Grant grant, String operationId, String writeId) {
        return branch.takeBack(grant, operationId, writeId);
    }

    @Override
    public Object refused(Counter branch, Grant grant, String operationId) {
        return branch.up(grant, operationId, MemoryCounter.TOP);
    }

    @Override
    public Versioned<?> read(Counter branch, Grant grant) {
        return branch.count(grant);
    }
}
