package io.sluice.migration.kit;

import io.sluice.migration.owner.Fence;
import io.sluice.migration.owner.Owners;
import io.sluice.migration.owner.OwnersContract;
import io.sluice.migration.plan.Side;

class InMemoryOwnersTest extends OwnersContract<MemoryTransaction> {
    private final MemoryStore store = new MemoryStore();
    private final MemoryTable<Long> ledger = new MemoryTable<>();
    private final InMemoryOwners owners = new InMemoryOwners(store);

    @Override
    protected Owners<MemoryTransaction> owners() {
        return owners;
    }

    @Override
    protected Fence<MemoryTransaction> fence() {
        return owners;
    }

    @Override
    protected Open<MemoryTransaction> begin() {
        MemoryTransaction transaction = store.begin();
        return new Open<>() {
            @Override
            public MemoryTransaction transaction() {
                return transaction;
            }

            @Override
            public void commit() {
                transaction.commit();
            }

            @Override
            public void close() {
                transaction.close();
            }
        };
    }

    @Override
    protected void put(MemoryTransaction transaction, Side side, String key, long amount) {
        transaction.put(ledger, side.label() + " " + key, amount);
    }

    @Override
    protected long amount(MemoryTransaction transaction, Side side, String key) {
        return transaction.get(ledger, side.label() + " " + key).orElse(0L);
    }
}
