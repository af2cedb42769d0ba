package io.sluice.migration.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.core.problem.RefusedException;
import io.sluice.migration.branch.Grant;
import io.sluice.migration.kit.InMemoryOwners;
import io.sluice.migration.kit.MemoryStock;
import io.sluice.migration.kit.MemoryStore;
import io.sluice.migration.kit.MemoryTransaction;
import io.sluice.migration.owner.Amounts;
import io.sluice.migration.owner.KeyCopy;
import io.sluice.migration.owner.Owned;
import io.sluice.migration.owner.Owners;
import io.sluice.migration.plan.Plan;
import io.sluice.migration.plan.Side;
import io.sluice.testing.Requirement;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(30)
class MoverTest {
    private static final String KEY = "sku-1";
    private static final long EPOCH = 3L << 20;
    private static final Duration SHORT = Duration.ofMillis(50);
    private static final Duration LONG = Duration.ofSeconds(10);

    private final MemoryStore store = new MemoryStore();
    private final InMemoryOwners owners = new InMemoryOwners(store);
    private final MemoryStock legacy = new MemoryStock(store, owners);
    private final MemoryStock newer = new MemoryStock(store, owners);
    private final KeyCopy<MemoryTransaction> copy = MemoryStock.copy(legacy, newer);
    private final Mover<MemoryTransaction> mover = new Mover<>(owners, copy);

    MoverTest() {
        legacy.stock(KEY, 7);
    }

    @Test
    @Requirement("I7")
    void takesTheWholeLedgerAlong() {
        legacy.take(Grant.of(KEY, Side.LEGACY, 0), "op-1", 2);

        assertThat(mover.move(KEY, Side.NEW, EPOCH)).isInstanceOf(MoveResult.Moved.class);

        assertIs(owners.of(KEY), Side.NEW, EPOCH);
        assertThat(owners.handedOver(KEY)).isEqualTo(Amounts.of(Map.of("available", 5L)));
        assertThat(newer.rows().get(KEY)).isEqualTo(legacy.rows().get(KEY));
        assertThat(newer.take(Grant.of(KEY, Side.NEW, EPOCH), "op-1", 2))
                .as("the same operation again")
                .isEqualTo(5);
    }

    @Test
    void aKeyThatIsThereStaysAsItIs() {
        assertThat(mover.move(KEY, Side.LEGACY, EPOCH)).isInstanceOf(MoveResult.AlreadyThere.class);
        assertThat(owners.of(KEY)).isEqualTo(Owned.neverMoved(KEY));
    }

    @Test
    @Requirement("I8")
    void movesBackUnderALaterEpoch() {
        mover.move(KEY, Side.NEW, EPOCH);
        newer.take(Grant.of(KEY, Side.NEW, EPOCH), "op-1", 3);

        assertThat(mover.move(KEY, Side.LEGACY, EPOCH)).isInstanceOf(MoveResult.Moved.class);

        assertIs(owners.of(KEY), Side.LEGACY, EPOCH + 1);
        assertThat(legacy.rows().get(KEY).available()).isEqualTo(4);
    }

    @Test
    @Requirement("F70")
    void waitsForAWriteThatPassedBefore() throws Exception {
        CompletableFuture<MoveResult> move;
        try (MemoryTransaction open = store.begin()) {
            owners.admitWrite(open, Grant.of(KEY, Side.LEGACY, 0));
            move = CompletableFuture.supplyAsync(() -> slow().move(KEY, Side.NEW, EPOCH));
            await().until(store::isAwaited);

            assertThat(move).isNotDone();
            assertThat(owners.of(KEY).isFrozen()).isTrue();
            assertThat(newer.rows()).isEmpty();
            open.commit();
        }
        assertThat(move.get(10, TimeUnit.SECONDS)).isInstanceOf(MoveResult.Moved.class);
    }

    @Test
    void aBusyKeyIsOpenAgainAfterTheLimit() {
        try (MemoryTransaction open = store.begin()) {
            owners.admitWrite(open, Grant.of(KEY, Side.LEGACY, 0));
            Mover<MemoryTransaction> hasty = new Mover<>(owners, copy, SHORT, MoveListener.NONE, System::nanoTime);

            assertThat(hasty.move(KEY, Side.NEW, EPOCH)).isInstanceOf(MoveResult.Busy.class);
        }
        assertIs(owners.of(KEY), Side.LEGACY, EPOCH);
        assertThat(legacy.take(Grant.of(KEY, Side.LEGACY, EPOCH), "op-1", 1)).isEqualTo(6);
    }

    @Test
    void aCopyThatFailsLeavesTheKeyOpenWhereItWas() {
        IllegalStateException broken = new IllegalStateException("column missing");
        Mover<MemoryTransaction> failing = new Mover<>(owners, (transaction, key, from, to) -> {
            copy.copy(transaction, key, from, to);
            throw broken;
        });

        MoveResult result = failing.move(KEY, Side.NEW, EPOCH);

        assertThat(result).isEqualTo(new MoveResult.Failed(KEY, MoveStep.HAND_OVER, broken));
        assertIs(owners.of(KEY), Side.LEGACY, EPOCH);
        assertThat(newer.rows()).as("half a copy").isEmpty();
    }

    /** An error in the listener is a crash: nothing more is done. */
    @ParameterizedTest
    @CsvSource({"FREEZE,true", "FREEZE,false", "DRAIN,true", "DRAIN,false", "HAND_OVER,true", "HAND_OVER,false"})
    @Requirement("F70")
    void anybodyFinishesWhatACrashLeftBehind(MoveStep step, boolean isBefore) {
        Mover<MemoryTransaction> dying = new Mover<>(owners, copy, LONG, dies(step, isBefore), System::nanoTime);
        assertThatThrownBy(() -> dying.move(KEY, Side.NEW, EPOCH)).isInstanceOf(Killed.class);
        Owned left = owners.of(KEY);
        boolean wasFrozen = !(step == MoveStep.FREEZE && isBefore) && !(step == MoveStep.HAND_OVER && !isBefore);
        assertThat(left.isFrozen()).isEqualTo(wasFrozen);

        Owned finished = mover.finish(left, LONG);

        assertThat(finished.isFrozen()).isFalse();
        mover.move(KEY, Side.NEW, EPOCH);
        assertIs(owners.of(KEY), Side.NEW, EPOCH);
        assertThat(newer.rows().get(KEY).available()).isEqualTo(7);
    }

    @ParameterizedTest
    @CsvSource({"FREEZE,false", "DRAIN,true", "DRAIN,false", "HAND_OVER,true"})
    void anErrorAtAnyStepReleases(MoveStep step, boolean isBefore) {
        Mover<MemoryTransaction> failing = new Mover<>(owners, copy, LONG, fails(step, isBefore), System::nanoTime);

        MoveResult result = failing.move(KEY, Side.NEW, EPOCH);

        assertThat(result).isInstanceOfSatisfying(MoveResult.Failed.class, failed -> {
            assertThat(failed.step()).isEqualTo(step);
            assertThat(failed.reason()).hasMessage("failed on purpose");
        });
        assertIs(owners.of(KEY), Side.LEGACY, EPOCH);
    }

    @Test
    void aHandOverWhoseAnswerWasLostIsAMove() {
        Mover<MemoryTransaction> unlucky = new Mover<>(answerLost("handOver"), copy);

        assertThat(unlucky.move(KEY, Side.NEW, EPOCH)).isInstanceOf(MoveResult.Moved.class);
        assertIs(owners.of(KEY), Side.NEW, EPOCH);
    }

    @Test
    void aKeyThatCantBeReleasedEitherSaysBoth() {
        Mover<MemoryTransaction> unlucky =
                new Mover<>(answerLost("drain"), copy, LONG, fails(MoveStep.RELEASE, true), System::nanoTime);

        assertThat(unlucky.move(KEY, Side.NEW, EPOCH)).isInstanceOfSatisfying(MoveResult.Failed.class, failed -> {
            assertThat(failed.step()).isEqualTo(MoveStep.DRAIN);
            assertThat(failed.reason()).hasMessage("answer lost");
            assertThat(failed.reason().getSuppressed()).hasSize(1);
        });
        assertThat(owners.of(KEY).isFrozen()).isTrue();
    }

    @Test
    @Requirement("I7")
    void aMoverThatWasSuspendedChangesNothingAfterwards() {
        List<MoveStep> steps = new ArrayList<>();
        Mover<MemoryTransaction> suspended = new Mover<>(
                owners,
                copy,
                LONG,
                new MoveListener() {
                    @Override
                    public void before(MoveStep step, String key) {
                        steps.add(step);
                        if (step == MoveStep.HAND_OVER) {
                            // Meanwhile the key goes there, is written, and comes back.
                            mover.finish(owners.of(key), LONG);
                            newer.take(Grant.of(key, Side.NEW, EPOCH), "op-1", 4);
                            mover.move(key, Side.LEGACY, EPOCH);
                            legacy.take(Grant.of(key, Side.LEGACY, EPOCH + 1), "op-2", 1);
                            owners.freeze(key, Side.NEW, EPOCH);
                        }
                    }
                },
                System::nanoTime);

        MoveResult result = suspended.move(KEY, Side.NEW, EPOCH);

        assertThat(result).isInstanceOf(MoveResult.Overtaken.class);
        assertThat(steps).containsExactly(MoveStep.FREEZE, MoveStep.DRAIN, MoveStep.HAND_OVER);
        assertThat(owners.of(KEY)).extracting(Owned::epoch, Owned::isFrozen).containsExactly(EPOCH + 2, true);
        assertThat(legacy.rows().get(KEY).available()).isEqualTo(2);
    }

    @Test
    void twoMoversAtOnceMoveOnce() throws Exception {
        AtomicInteger copies = new AtomicInteger();
        KeyCopy<MemoryTransaction> counted = (transaction, key, from, to) -> {
            copies.incrementAndGet();
            return copy.copy(transaction, key, from, to);
        };
        CountDownLatch bothFrozen = new CountDownLatch(2);
        MoveListener together = new MoveListener() {
            @Override
            public void after(MoveStep step, Owned now) {
                if (step == MoveStep.FREEZE) {
                    bothFrozen.countDown();
                    awaitQuietly(bothFrozen);
                }
            }
        };
        Mover<MemoryTransaction> first = new Mover<>(owners, counted, LONG, together, System::nanoTime);
        Mover<MemoryTransaction> second = new Mover<>(owners, counted, LONG, together, System::nanoTime);
        CompletableFuture<MoveResult> one = CompletableFuture.supplyAsync(() -> first.move(KEY, Side.NEW, EPOCH));
        CompletableFuture<MoveResult> two = CompletableFuture.supplyAsync(() -> second.move(KEY, Side.NEW, EPOCH));

        assertThat(List.of(one.get(10, TimeUnit.SECONDS), two.get(10, TimeUnit.SECONDS)))
                .allMatch(MoveResult.Moved.class::isInstance);
        assertThat(copies).hasValue(1);
    }

    @Test
    void handingBackAKeyThatIsOnItsWayToNewGivesThatMoveUp() {
        Owned frozen = owners.freeze(KEY, Side.NEW, EPOCH);

        Owned now = mover.toLegacy(new Owned(KEY, Side.NEW, EPOCH, null, Duration.ZERO), LONG);

        assertIs(now, Side.LEGACY, EPOCH);
        assertThat(mover.finish(frozen, LONG).side()).as("the mover comes late").isEqualTo(Side.LEGACY);
        assertThat(newer.rows()).isEmpty();
    }

    @Test
    void aKeyThatIsHandedBackHasAnEpochOfTheCallersPlan() {
        mover.move(KEY, Side.NEW, EPOCH);
        long later = 5L << 20;

        Owned now = mover.toLegacy(new Owned(KEY, Side.NEW, later, null, Duration.ZERO), LONG);

        assertIs(now, Side.LEGACY, Plan.handBackEpoch(later));
        assertThat(now.planRevision()).isEqualTo(5);
    }

    @Test
    void handingBackEndsWithItsTimeAndLeavesTheKeyOpen() {
        mover.move(KEY, Side.NEW, EPOCH);
        try (MemoryTransaction open = store.begin()) {
            owners.admitWrite(open, Grant.of(KEY, Side.NEW, EPOCH));

            Owned now = mover.toLegacy(owners.of(KEY), SHORT);

            assertIs(now, Side.NEW, Plan.handBackEpoch(EPOCH));
        }
    }

    @Test
    void handingBackThrowsWhatTheCopyThrew() {
        mover.move(KEY, Side.NEW, EPOCH);
        Mover<MemoryTransaction> failing = new Mover<>(owners, (transaction, key, from, to) -> {
            throw new IllegalStateException("column missing");
        });

        assertThatThrownBy(() -> failing.toLegacy(owners.of(KEY), LONG)).hasMessage("column missing");
        assertThat(owners.of(KEY)).extracting(Owned::side, Owned::isFrozen).containsExactly(Side.NEW, false);
    }

    @Test
    void finishingLeavesTheKeyFrozenAtTheEndOfItsTime() {
        try (MemoryTransaction open = store.begin()) {
            owners.admitWrite(open, Grant.of(KEY, Side.LEGACY, 0));
            Owned frozen = owners.freeze(KEY, Side.NEW, EPOCH);

            assertThat(mover.finish(frozen, SHORT).isFrozen()).isTrue();
            assertThat(owners.of(KEY).isFrozen()).isTrue();
        }
    }

    @Test
    void aKeyOnItsWayElsewhereIsLeftAlone() {
        mover.move(KEY, Side.NEW, EPOCH);
        owners.freeze(KEY, Side.LEGACY, EPOCH);

        assertThat(mover.move(KEY, Side.NEW, EPOCH)).isInstanceOf(MoveResult.Overtaken.class);
        assertThat(owners.of(KEY).movingTo()).isEqualTo(Side.LEGACY);
    }

    @Test
    void refusesADrainWithoutTime() {
        assertThatThrownBy(() -> new Mover<>(owners, copy, Duration.ZERO, MoveListener.NONE, System::nanoTime))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("drainLimit was PT0S");
    }

    private Mover<MemoryTransaction> slow() {
        return new Mover<>(owners, copy, LONG, MoveListener.NONE, System::nanoTime);
    }

    private static void assertIs(Owned owned, Side side, long epoch) {
        assertThat(owned).extracting(Owned::side, Owned::epoch, Owned::isFrozen).containsExactly(side, epoch, false);
    }

    private static MoveListener dies(MoveStep at, boolean isBefore) {
        return breaks(at, isBefore, () -> {
            throw new Killed();
        });
    }

    private static MoveListener fails(MoveStep at, boolean isBefore) {
        return breaks(at, isBefore, () -> {
            throw new IllegalStateException("failed on purpose");
        });
    }

    private static MoveListener breaks(MoveStep at, boolean isBefore, Runnable how) {
        return new MoveListener() {
            @Override
            public void before(MoveStep step, String key) {
                if (isBefore && step == at) {
                    how.run();
                }
            }

            @Override
            public void after(MoveStep step, Owned now) {
                if (!isBefore && step == at) {
                    how.run();
                }
            }
        };
    }

    /** The same owners over a connection that breaks behind one of the steps. */
    @SuppressWarnings("unchecked") // one interface, one implementation
    private Owners<MemoryTransaction> answerLost(String step) {
        return (Owners<MemoryTransaction>) Proxy.newProxyInstance(
                Owners.class.getClassLoader(), new Class<?>[] {Owners.class}, (proxy, method, arguments) -> {
                    try {
                        Object answer = method.invoke(owners, arguments);
                        if (method.getName().equals(step)) {
                            throw new IllegalStateException("answer lost");
                        }
                        return answer;
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private static final class Killed extends Error {
        private static final long serialVersionUID = 1L;
    }
}
