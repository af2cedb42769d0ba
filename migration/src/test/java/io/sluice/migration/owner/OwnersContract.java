package io.sluice.migration.owner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.migration.branch.Grant;
import io.sluice.migration.plan.Plan;
import io.sluice.migration.plan.Side;
import io.sluice.testing.Requirement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What owners and fence promise, wherever they keep their rows. An implementation's test extends it.
 *
 * @param <T> the transaction
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class OwnersContract<T> {
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final long EPOCH = Plan.start("m").epoch();

    /** An open transaction. Closing it without a commit rolls it back. */
    public interface Open<T> extends AutoCloseable {
        T transaction();

        void commit();

        @Override
        void close();
    }

    protected abstract Owners<T> owners();

    protected abstract Fence<T> fence();

    protected abstract Open<T> begin();

    /** Sets what a side's ledger says about a key, in a ledger that is part of the same transactions. */
    protected abstract void put(T transaction, Side side, String key, long amount);

    /** What a side's ledger says about a key, 0 if nothing. */
    protected abstract long amount(T transaction, Side side, String key);

    private final KeyCopy<T> copy = (transaction, key, from, to) -> {
        long amount = amount(transaction, from, key);
        put(transaction, to, key, amount);
        return Amounts.of(Map.of("available", amount));
    };

    @Test
    void aKeyThatNeverMovedIsLegacys() {
        assertThat(owners().of("a")).isEqualTo(Owned.neverMoved("a"));
        try (Open<T> open = begin()) {
            fence().admitRead(open.transaction(), Grant.of("a", Side.LEGACY, 0));
            fence().admitWrite(open.transaction(), Grant.of("a", Side.LEGACY, 0));
            open.commit();
        }
        try (Open<T> open = begin()) {
            Owned owned = refusedWrite(open, Grant.of("a", Side.NEW, EPOCH));
            assertThat(owned.side()).isEqualTo(Side.LEGACY);
            assertThat(owned.epoch()).isZero();
        }
        assertThat(owners().freeze("a", Side.LEGACY, EPOCH).isFrozen()).isFalse();
        assertThat(owners().of("a").epoch()).isZero();
    }

    @Test
    void tellsTheOwnersOfManyKeysInTheirOrderThoseThatNeverMovedIncluded() {
        move("b", Side.NEW, EPOCH);
        owners().freeze("c", Side.NEW, EPOCH);

        Map<String, Owned> owned = owners().of(List.of("c", "a", "b"));

        assertThat(owned.keySet()).containsExactly("c", "a", "b");
        assertThat(owned.get("a")).isEqualTo(Owned.neverMoved("a"));
        assertThat(owned.get("b").side()).isEqualTo(Side.NEW);
        assertThat(owned.get("c").movingTo()).isEqualTo(Side.NEW);
        assertThat(owners().of(List.of())).isEmpty();
    }

    @Test
    @Requirement({"I7", "F70"})
    void aFreezeRefusesTheNextWriteWhileAnAdmittedOneIsStillOpen() {
        write("a", Side.LEGACY, 0, 5);
        try (Open<T> admitted = begin()) {
            fence().admitWrite(admitted.transaction(), Grant.of("a", Side.LEGACY, 0));

            Owned frozen = owners().freeze("a", Side.NEW, EPOCH);

            assertThat(frozen.side()).isEqualTo(Side.LEGACY);
            assertThat(frozen.movingTo()).isEqualTo(Side.NEW);
            assertThat(frozen.epoch()).isEqualTo(EPOCH);
            try (Open<T> later = begin()) {
                assertThat(refusedWrite(later, Grant.of("a", Side.LEGACY, Long.MAX_VALUE - 1))
                                .isFrozen())
                        .isTrue();
            }
            try (Open<T> later = begin()) {
                refusedWrite(later, Grant.of("a", Side.NEW, Long.MAX_VALUE - 1));
            }
            put(admitted.transaction(), Side.LEGACY, "a", 4);
            admitted.commit();
        }
        assertThat(committed(Side.LEGACY, "a")).isEqualTo(4);
    }

    @Test
    void writesOfAKeyDoNotWaitForEachOther() {
        write("a", Side.LEGACY, 0, 5);
        try (Open<T> one = begin();
                Open<T> two = begin()) {
            fence().admitWrite(one.transaction(), Grant.of("a", Side.LEGACY, 0));
            fence().admitWrite(two.transaction(), Grant.of("a", Side.LEGACY, 0));
            two.commit();
            one.commit();
        }
    }

    @Test
    @Requirement({"I7", "F70"})
    void aDrainWaitsForTheWritesThatPassedBeforeAndTimesOut() throws Exception {
        write("a", Side.LEGACY, 0, 5);
        CompletableFuture<Boolean> drained;
        Owned frozen;
        try (Open<T> admitted = begin()) {
            fence().admitWrite(admitted.transaction(), Grant.of("a", Side.LEGACY, 0));
            frozen = owners().freeze("a", Side.NEW, EPOCH);

            assertThat(owners().drain(frozen, SHORT)).isFalse();
            assertThat(owners().of("a").isFrozen()).isTrue();

            drained = CompletableFuture.supplyAsync(() -> owners().drain(frozen, LONG));
            put(admitted.transaction(), Side.LEGACY, "a", 4);
            assertThat(drained).isNotDone();
            admitted.commit();
        }
        assertThat(drained.get(30, TimeUnit.SECONDS)).isTrue();
        owners().handOver(frozen, copy);
        assertThat(committed(Side.NEW, "a")).isEqualTo(4);
    }

    @Test
    @Requirement({"I7", "F70"})
    void aHandOverCopiesAndOpensAtOnce() {
        write("a", Side.LEGACY, 0, 5);
        Owned frozen = owners().freeze("a", Side.NEW, EPOCH);
        assertThat(owners().drain(frozen, LONG)).isTrue();

        Owned owned = owners().handOver(frozen, (transaction, key, from, to) -> {
            Amounts amounts = copy.copy(transaction, key, from, to);
            assertThat(owners().of(key).isFrozen()).as("seen from outside").isTrue();
            assertThat(committed(Side.NEW, key)).isZero();
            return amounts;
        });

        assertThat(owned.side()).isEqualTo(Side.NEW);
        assertThat(owned.isFrozen()).isFalse();
        assertThat(owned.epoch()).isEqualTo(EPOCH);
        assertThat(committed(Side.NEW, "a")).isEqualTo(5);
        write("a", Side.NEW, EPOCH, 3);
        try (Open<T> open = begin()) {
            assertThat(refusedWrite(open, Grant.of("a", Side.LEGACY, EPOCH)).side())
                    .isEqualTo(Side.NEW);
        }
    }

    @Test
    @Requirement({"I7", "F70"})
    void aHandOverCopiesNothingWhileAWriteIsOpen() throws Exception {
        write("a", Side.LEGACY, 0, 5);
        CompletableFuture<Owned> handedOver;
        AtomicInteger copies = new AtomicInteger();
        try (Open<T> admitted = begin()) {
            fence().admitWrite(admitted.transaction(), Grant.of("a", Side.LEGACY, 0));
            Owned frozen = owners().freeze("a", Side.NEW, EPOCH);
            assertThat(owners().drain(frozen, SHORT)).isFalse();

            handedOver = CompletableFuture.supplyAsync(() -> owners().handOver(frozen, (transaction, key, from, to) -> {
                copies.incrementAndGet();
                return copy.copy(transaction, key, from, to);
            }));
            put(admitted.transaction(), Side.LEGACY, "a", 4);
            assertThat(owners().drain(frozen, SHORT)).isFalse();
            assertThat(copies).hasValue(0);
            admitted.commit();
        }
        assertThat(handedOver.get(30, TimeUnit.SECONDS).side()).isEqualTo(Side.NEW);
        assertThat(committed(Side.NEW, "a")).isEqualTo(4);
    }

    @Test
    @Requirement("I7")
    void aCopyThatFailsChangesNothing() {
        write("a", Side.LEGACY, 0, 5);
        Owned frozen = owners().freeze("a", Side.NEW, EPOCH);
        IllegalStateException failure = new IllegalStateException("no room");

        assertThatThrownBy(() -> owners().handOver(frozen, (transaction, key, from, to) -> {
                    put(transaction, to, key, 99);
                    throw failure;
                }))
                .isSameAs(failure);

        assertThat(owners().of("a").isFrozen()).isTrue();
        assertThat(owners().of("a").side()).isEqualTo(Side.LEGACY);
        assertThat(committed(Side.NEW, "a")).isZero();
        assertThat(owners().handOver(frozen, copy).side()).isEqualTo(Side.NEW);
        assertThat(committed(Side.NEW, "a")).isEqualTo(5);
    }

    @Test
    @Requirement({"I7", "F70"})
    void aMoverThatWasSuspendedDoesNothingOnceItsEpochHasPassed() {
        write("a", Side.LEGACY, 0, 5);
        Owned suspended = owners().freeze("a", Side.NEW, EPOCH);
        owners().release(suspended);
        Owned again = owners().freeze("a", Side.NEW, EPOCH);
        assertThat(again.epoch()).isGreaterThan(suspended.epoch());

        Owned owned = owners().handOver(suspended, KeyCopyThat.fails());
        assertThat(owned.isFrozen()).isTrue();
        assertThat(owned.epoch()).isEqualTo(again.epoch());
        assertThat(owners().release(suspended).isFrozen()).isTrue();

        owners().handOver(again, copy);
        write("a", Side.NEW, again.epoch(), 3);
        assertThat(owners().handOver(again, KeyCopyThat.fails()).side())
                .as("the one who is late by a whole move")
                .isEqualTo(Side.NEW);
        assertThat(committed(Side.NEW, "a")).isEqualTo(3);
    }

    @Test
    void aReleaseOpensTheKeyWhereItWas() {
        write("a", Side.LEGACY, 0, 5);
        Owned frozen = owners().freeze("a", Side.NEW, EPOCH);

        Owned released = owners().release(frozen);

        assertThat(released.side()).isEqualTo(Side.LEGACY);
        assertThat(released.isFrozen()).isFalse();
        assertThat(released.epoch()).isEqualTo(EPOCH);
        assertThat(owners().handOver(frozen, KeyCopyThat.fails()).side()).isEqualTo(Side.LEGACY);
        write("a", Side.LEGACY, EPOCH, 4);
        assertThat(committed(Side.LEGACY, "a")).isEqualTo(4);
    }

    @Test
    @Requirement({"I7", "F70"})
    void twoMoversAtOnceMoveAKeyOnce() throws Exception {
        for (int round = 0; round < 20; round++) {
            String key = "k" + round;
            write(key, Side.LEGACY, 0, 5);
            AtomicInteger copies = new AtomicInteger();
            CyclicBarrier together = new CyclicBarrier(2);
            List<CompletableFuture<Owned>> movers = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                movers.add(CompletableFuture.supplyAsync(() -> {
                    await(together);
                    Owned frozen = owners().freeze(key, Side.NEW, EPOCH);
                    if (!frozen.isFrozen()) {
                        return frozen;
                    }
                    assertThat(owners().drain(frozen, LONG)).isTrue();
                    return owners().handOver(frozen, (transaction, moved, from, to) -> {
                        copies.incrementAndGet();
                        return copy.copy(transaction, moved, from, to);
                    });
                }));
            }
            for (CompletableFuture<Owned> mover : movers) {
                Owned owned = mover.get(30, TimeUnit.SECONDS);
                assertThat(owned.side()).isEqualTo(Side.NEW);
                assertThat(owned.isFrozen()).isFalse();
                assertThat(owned.epoch()).isEqualTo(EPOCH);
            }
            assertThat(copies).as("round %d", round).hasValue(1);
        }
    }

    @Test
    @Requirement({"I7", "F70"})
    void everyMoveGetsALaterEpochAndAGrantFromBeforeIsRefusedThereAndBack() {
        write("a", Side.LEGACY, 0, 5);
        Owned there = move("a", Side.NEW, EPOCH);
        Owned back = move("a", Side.LEGACY, EPOCH);

        assertThat(there.epoch()).isEqualTo(EPOCH);
        assertThat(back.epoch()).isGreaterThan(there.epoch());
        try (Open<T> open = begin()) {
            assertThat(refusedWrite(open, Grant.of("a", Side.LEGACY, 0)).epoch())
                    .isEqualTo(back.epoch());
        }
        try (Open<T> open = begin()) {
            refusedRead(open, Grant.of("a", Side.LEGACY, there.epoch()));
        }
        write("a", Side.LEGACY, back.epoch(), 4);
        assertThat(move("a", Side.NEW, EPOCH << 1).epoch()).isEqualTo(EPOCH << 1);
    }

    @Test
    void aFreezeOfAKeyThatIsThereOrIsFrozenAlreadyTellsWhatIsSo() {
        Owned first = owners().freeze("a", Side.NEW, EPOCH);
        Owned second = owners().freeze("a", Side.NEW, EPOCH << 1);
        Owned otherWay = owners().freeze("a", Side.LEGACY, EPOCH << 1);

        assertThat(second.epoch()).isEqualTo(first.epoch());
        assertThat(otherWay.movingTo()).isEqualTo(Side.NEW);
        owners().handOver(first, copy);
        Owned there = owners().freeze("a", Side.NEW, EPOCH << 1);
        assertThat(there.isFrozen()).isFalse();
        assertThat(there.epoch()).isEqualTo(EPOCH);
    }

    @Test
    @Requirement("I5")
    void aShadowsGrantReadsEverythingAndWritesNothing() {
        move("a", Side.NEW, EPOCH);
        owners().freeze("b", Side.NEW, EPOCH);
        try (Open<T> open = begin()) {
            for (String key : List.of("a", "b", "never")) {
                for (Side side : Side.values()) {
                    Grant shadow = Grant.shadow(key, side);
                    fence().admitRead(open.transaction(), shadow);
                    assertThatThrownBy(() -> fence().admitWrite(open.transaction(), shadow))
                            .isInstanceOf(IllegalArgumentException.class);
                }
            }
        }
    }

    @Test
    void aFrozenKeyIsReadAtItsOwnerOnly() {
        owners().freeze("a", Side.NEW, EPOCH);
        try (Open<T> open = begin()) {
            fence().admitRead(open.transaction(), Grant.of("a", Side.LEGACY, 0));
            refusedRead(open, Grant.of("a", Side.NEW, EPOCH));
        }
    }

    @Test
    void mirrorsTheOwnersLedgerUnlessTheKeyIsBeingMoved() {
        write("a", Side.LEGACY, 0, 5);

        assertThat(owners().mirror("a", copy)).isTrue();

        assertThat(committed(Side.NEW, "a")).isEqualTo(5);
        assertThat(owners().of("a").side()).isEqualTo(Side.LEGACY);
        assertThat(owners().of("a").epoch()).isZero();
        Owned frozen = owners().freeze("a", Side.NEW, EPOCH);
        assertThat(owners().mirror("a", KeyCopyThat.fails())).isFalse();
        owners().handOver(frozen, copy);
        write("a", Side.NEW, EPOCH, 3);
        assertThat(owners().mirror("a", copy)).isTrue();
        assertThat(committed(Side.LEGACY, "a")).isEqualTo(3);
        assertThat(owners().of("a").side()).isEqualTo(Side.NEW);
    }

    @Test
    void tellsWhichKeysHaveBeenFrozenLongest() {
        for (String key : List.of("c", "a", "b")) {
            owners().freeze(key, Side.NEW, EPOCH);
        }
        move("moved", Side.NEW, EPOCH);

        assertThat(owners().frozenFor(Duration.ZERO, 10)).extracting(Owned::key).containsExactly("c", "a", "b");
        assertThat(owners().frozenFor(Duration.ZERO, 2)).extracting(Owned::key).containsExactly("c", "a");
        assertThat(owners().frozenFor(Duration.ofHours(1), 10)).isEmpty();
    }

    /** A copy that must not be made. */
    private static final class KeyCopyThat {
        static <T> KeyCopy<T> fails() {
            return (transaction, key, from, to) -> {
                throw new AssertionError("key " + key + " was copied");
            };
        }
    }

    private Owned move(String key, Side to, long epoch) {
        Owned frozen = owners().freeze(key, to, epoch);
        assertThat(owners().drain(frozen, LONG)).isTrue();
        return owners().handOver(frozen, copy);
    }

    private void write(String key, Side side, long epoch, long amount) {
        try (Open<T> open = begin()) {
            fence().admitWrite(open.transaction(), Grant.of(key, side, epoch));
            put(open.transaction(), side, key, amount);
            open.commit();
        }
    }

    private long committed(Side side, String key) {
        try (Open<T> open = begin()) {
            return amount(open.transaction(), side, key);
        }
    }

    private Owned refusedWrite(Open<T> open, Grant grant) {
        return catchThrowableOfType(OwnerChangedException.class, () -> fence().admitWrite(open.transaction(), grant))
                .owned();
    }

    private Owned refusedRead(Open<T> open, Grant grant) {
        return catchThrowableOfType(OwnerChangedException.class, () -> fence().admitRead(open.transaction(), grant))
                .owned();
    }

    private static void await(CyclicBarrier together) {
        try {
            together.await(30, TimeUnit.SECONDS);
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }
}
