package io.sluice.migration.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.migration.branch.Grant;
import io.sluice.migration.kit.InMemoryOwners;
import io.sluice.migration.kit.MemoryStore;
import io.sluice.migration.kit.MemoryTransaction;
import io.sluice.migration.owner.Amounts;
import io.sluice.migration.owner.KeyCopy;
import io.sluice.migration.owner.Owned;
import io.sluice.migration.plan.Directive;
import io.sluice.migration.plan.Pace;
import io.sluice.migration.plan.Plan;
import io.sluice.migration.plan.Side;
import io.sluice.testing.Requirement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class MovesTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long PER_MOVE = TimeUnit.MILLISECONDS.toNanos(1);

    private final AtomicLong now = new AtomicLong(7 * SECOND);
    private final MemoryStore store = new MemoryStore();
    private final InMemoryOwners owners = new InMemoryOwners(store, now::get);
    private final NavigableSet<String> keys = new TreeSet<>();
    private final AtomicReference<Directive> directive =
            new AtomicReference<>(new Directive(1, Plan.start("m"), new Pace(50, false)));

    private final List<Long> begun = new ArrayList<>();
    private final Map<String, Integer> copies = new HashMap<>();
    private final Set<String> broken = new HashSet<>();
    private int stallsAt = -1;
    private final AtomicBoolean dies = new AtomicBoolean();
    private final KeyCopy<MemoryTransaction> copy = (transaction, key, from, to) -> {
        if (broken.contains(key)) {
            throw new IllegalStateException("no room for " + key);
        }
        copies.merge(key, 1, Integer::sum);
        return Amounts.NONE;
    };
    private final MoveListener listener = new MoveListener() {
        @Override
        public void before(MoveStep step, String key) {
            if (step == MoveStep.FREEZE) {
                begun.add(now.get());
                now.addAndGet(begun.size() == stallsAt ? 2 * SECOND : PER_MOVE);
            }
            if (step == MoveStep.HAND_OVER && dies.get()) {
                throw new Killed();
            }
        }
    };
    private final Mover<MemoryTransaction> mover = new Mover<>(owners, copy, Duration.ofMillis(50), listener, now::get);
    private final Moves moves = moves();

    @Test
    @Requirement("I7")
    void movesEveryKeyThatThePlanWantsElsewhereAndNoOther() {
        addKeys(300);
        want(30);
        long wanted = wantedAtNew();

        run(() -> moves.progress().state() == Progress.State.DONE);

        assertAllWhereWanted();
        Progress done = moves.progress();
        assertThat(done.moved()).isEqualTo(wanted).isBetween(50L, 150L);
        assertThat(done.toMove()).isZero();
        assertThat(done.secondsLeft()).hasValue(0);
        assertThat(done.planRevision()).isEqualTo(2);
        assertThat(copies.values()).containsOnly(1).hasSize((int) wanted);
    }

    @Test
    void neverGoesFasterThanThePace() {
        addKeys(500);
        stallsAt = 250;
        want(100);

        run(() -> moves.progress().state() == Progress.State.DONE);

        assertThat(begun).hasSize(500);
        for (int i = 0; i < begun.size(); i++) {
            long from = begun.get(i);
            assertThat(begun.stream()
                            .filter(at -> at >= from && at < from + SECOND)
                            .count())
                    .as("begun within the second after move %d", i)
                    .isLessThanOrEqualTo(51);
        }
        double took = (begun.get(499) - begun.get(0)) / (double) SECOND;
        assertThat(took).as("and not slower either").isBetween(11.8, 12.5);
    }

    @Test
    void aPauseBeginsNoFurtherMoveAndChangingThePaceTakesEffectAtOnce() {
        addKeys(200);
        want(100);
        run(() -> moves.progress().moved() == 50);

        pace(new Pace(50, true));
        run(() -> moves.progress().state() == Progress.State.PAUSED);
        int atPause = begun.size();
        runFor(Duration.ofMinutes(1));
        assertThat(begun).hasSize(atPause);
        assertThat(moves.progress().secondsLeft()).isEmpty();
        assertThat(moves.progress().toMove()).isEqualTo(200 - atPause);

        pace(new Pace(1, false));
        runFor(Duration.ofSeconds(10));
        assertThat(begun.size() - atPause).isBetween(9, 11);
        pace(new Pace(10_000, false));
        runFor(Duration.ofSeconds(2));
        assertAllWhereWanted();
    }

    @Test
    void tellsHowLongItStillTakesAtTheRateThatItHas() {
        addKeys(1000);
        want(100);
        assertThat(moves.progress().secondsLeft())
                .as("before the keys are counted")
                .isEmpty();
        run(() -> moves.progress().moved() == 400);

        Progress half = moves.progress();
        assertThat(half.toMove()).isEqualTo(600);
        assertThat(half.keysPerSecond()).isBetween(48.0, 52.0);
        assertThat(half.secondsLeft().orElseThrow()).isBetween(12L, 13L);

        pace(new Pace(100, false));
        run(() -> moves.progress().moved() == 400 + 11 * 25);
        pace(new Pace(25, false));
        runFor(Duration.ofSeconds(11));
        assertThat(moves.progress().keysPerSecond())
                .as("the last ten seconds count")
                .isBetween(23.0, 27.0);
    }

    @Test
    @Requirement({"I7", "F70"})
    void whoComesAfterAMoverThatWasKilledFinishesItsKeyFirst() {
        addKeys(100);
        want(100);
        run(() -> moves.progress().moved() == 40);
        dies.set(true);
        assertThatThrownBy(() -> run(() -> false)).isInstanceOf(Killed.class);
        dies.set(false);
        Owned left = owners.frozenFor(Duration.ZERO, 10).get(0);
        long killed = now.get();
        pace(new Pace(50, true));

        Moves next = moves();
        run(next, () -> !owners.of(left.key()).isFrozen());
        assertThat(now.get() - killed)
                .as("left alone while somebody may be at work")
                .isBetween(5 * SECOND, 7 * SECOND);
        assertThat(owners.of(left.key()).side())
                .as("finished, also while paused")
                .isEqualTo(Side.NEW);
        assertThat(owners.of(left.key()).epoch()).isEqualTo(left.epoch());

        pace(new Pace(50, false));
        run(next, () -> next.progress().state() == Progress.State.DONE);
        assertAllWhereWanted();
        assertThat(copies.values()).containsOnly(1).hasSize(100);
        assertThat(next.progress().moved()).isEqualTo(60);
    }

    @Test
    void aKeyWhoseWriteDoesNotEndIsWritableAgainAndStopsNoOther() {
        addKeys(50);
        want(100);
        try (MemoryTransaction busy = store.begin()) {
            owners.admitWrite(busy, Grant.of("k0007", Side.LEGACY, 0));
            run(() -> moves.progress().moved() == 49);

            Progress progress = moves.progress();
            assertThat(progress.failed()).isEqualTo(1);
            assertThat(progress.toMove()).isEqualTo(1);
            assertThat(progress.state()).isEqualTo(Progress.State.MOVING);
            assertThat(progress.troubles()).extracting(Progress.Trouble::key).containsExactly("k0007");
            try (MemoryTransaction other = store.begin()) {
                owners.admitWrite(
                        other, Grant.of("k0007", Side.LEGACY, owners.of("k0007").epoch()));
            }
            busy.commit();
        }
        run(() -> moves.progress().state() == Progress.State.DONE);
        assertAllWhereWanted();
        assertThat(moves.progress().failed()).isZero();
    }

    @Test
    void aKeyWhoseCopyFailsIsTriedAgainAfterGrowingPauses() {
        addKeys(1);
        broken.addAll(keys);
        want(100);

        runFor(Duration.ofMinutes(6));

        List<Long> pauses = new ArrayList<>();
        for (int i = 1; i < begun.size(); i++) {
            pauses.add(Math.round((begun.get(i) - begun.get(i - 1)) / (double) SECOND));
        }
        assertThat(pauses).startsWith(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L);
        Progress.Trouble trouble = moves.progress().troubles().get(0);
        assertThat(trouble.reason()).contains("HAND_OVER").contains("no room for k0000");
        assertThat(trouble.tries()).isEqualTo(begun.size());
        assertThat(owners.of("k0000").isFrozen()).isFalse();

        broken.clear();
        run(() -> moves.progress().state() == Progress.State.DONE);
        assertAllWhereWanted();
    }

    @Test
    void whenEverythingFailsItSlowsDownInsteadOfFreezingKeyAfterKey() {
        addKeys(1000);
        broken.addAll(keys);
        want(100);
        runFor(Duration.ofMinutes(2));
        assertThat(begun.size()).isLessThan(40);

        broken.clear();
        run(() -> moves.progress().state() == Progress.State.DONE);
        assertAllWhereWanted();
    }

    @Test
    void manyKeysThatCanNeverBeMovedStopNoOther() {
        addKeys(25);
        broken.addAll(keys);
        for (int i = 0; i < 30; i++) {
            keys.add("bad\n" + i);
        }
        for (int i = 0; i < 400; i++) {
            keys.add("sound" + i);
        }
        want(100);

        runFor(Duration.ofMinutes(5));

        assertThat(moves.progress().moved()).isEqualTo(400);
        assertThat(moves.progress().failed()).isEqualTo(55);

        broken.clear();
        keys.removeIf(key -> key.startsWith("bad"));
        runFor(Duration.ofHours(1));
        assertAllWhereWanted();
    }

    @Test
    @Requirement("I8")
    void aKeyThatWasHandedBackStaysUntilTheNextPlan() {
        addKeys(50);
        want(100);
        run(() -> moves.progress().state() == Progress.State.DONE);

        Owned back = mover.toLegacy(owners.of("k0003"), Duration.ofSeconds(1));
        assertThat(back.side()).isEqualTo(Side.LEGACY);
        pace(new Pace(49, false));
        runFor(Duration.ofMinutes(1));

        assertThat(owners.of("k0003").side()).isEqualTo(Side.LEGACY);
        assertThat(moves.progress().handedBack()).isEqualTo(1);
        assertThat(moves.progress().state()).isEqualTo(Progress.State.DONE);
        assertThat(moves().progress().handedBack()).isZero();
        Moves restarted = moves();
        run(restarted, () -> restarted.progress().state() == Progress.State.DONE);
        assertThat(restarted.progress().handedBack())
                .as("known after a restart as well")
                .isEqualTo(1);

        want(100);
        run(() -> moves.progress().planRevision() == 3 && moves.progress().state() == Progress.State.DONE);
        assertAllWhereWanted();
        assertThat(moves.progress().handedBack()).isZero();
    }

    @Test
    void aMoveThatWasGivenUpIsNotTakenForAHandBackAfterARestart() {
        addKeys(1);
        want(100);
        owners.release(owners.freeze("k0000", Side.NEW, directive.get().plan().epoch()));

        run(() -> moves.progress().state() == Progress.State.DONE);

        assertAllWhereWanted();
    }

    @Test
    void aKeyThatIsHandedBackWhileItStandsInTheQueueStays() {
        addKeys(50);
        want(100);
        run(() -> moves.progress().moved() == 1);
        owners.handOver(owners.freeze("k0040", Side.NEW, directive.get().plan().epoch()), copy);
        mover.toLegacy(owners.of("k0040"), Duration.ofSeconds(1));

        run(() -> moves.progress().state() == Progress.State.DONE);

        assertThat(owners.of("k0040").side()).isEqualTo(Side.LEGACY);
        assertThat(moves.progress().moved()).isEqualTo(49);
    }

    @Test
    void aKeyThatMovedUnderALaterPlanIsLeftAlone() {
        addKeys(10);
        want(100);
        Plan later = directive.get().plan().withPercent(0);
        owners.handOver(owners.freeze("k0001", Side.NEW, directive.get().plan().epoch()), copy);
        owners.handOver(owners.freeze("k0001", Side.LEGACY, later.epoch()), copy);

        run(() -> moves.progress().state() == Progress.State.DONE);

        assertThat(owners.of("k0001").side()).isEqualTo(Side.LEGACY);
        assertThat(moves.progress().moved()).isEqualTo(9);
    }

    @Test
    @Requirement("I8")
    void lessPercentMovesKeysBackTheSameWay() {
        addKeys(200);
        want(100);
        run(() -> moves.progress().moved() == 120);

        want(0);
        run(() -> moves.progress().planRevision() == 3 && moves.progress().state() == Progress.State.DONE);

        assertAllWhereWanted();
        assertThat(keys).allSatisfy(key -> assertThat(owners.of(key).side()).isEqualTo(Side.LEGACY));
        assertThat(moves.progress().moved()).isEqualTo(120);
    }

    @Test
    void keysThatAreAddedLaterAreFoundAndMoved() {
        addKeys(500);
        want(100);
        run(() -> moves.progress().state() == Progress.State.DONE);

        runFor(Duration.ofSeconds(1));
        keys.add("later");
        long added = now.get();
        run(() -> owners.of("later").side() == Side.NEW);
        assertThat(now.get() - added)
                .as("the rest is no longer for the ten seconds that moving took")
                .isLessThan(6 * SECOND);
        run(() -> moves.progress().state() == Progress.State.DONE);
        assertThat(moves.progress().moved()).isEqualTo(501);
    }

    @Test
    void outlivesASourceOfKeysThatFailsAndKeysThatAreNone() {
        addKeys(20);
        keys.add("bad\nkey");
        want(100);
        AtomicBoolean fails = new AtomicBoolean(true);
        Moves careful = new Moves(
                owners,
                mover,
                (last, limit) -> {
                    if (fails.get()) {
                        throw new IllegalStateException("gone");
                    }
                    return page(last, limit);
                },
                () -> Optional.of(directive.get()),
                settings(),
                now::get);
        run(careful, () -> careful.progress().planRevision() > 0);
        assertThat(careful.progress().problem().orElseThrow()).contains("gone");
        assertThat(careful.progress().state()).isEqualTo(Progress.State.MOVING);

        fails.set(false);
        run(careful, () -> careful.progress().moved() == 20);
        assertThat(careful.progress().problem()).isEmpty();
        assertThat(careful.progress().troubles())
                .extracting(Progress.Trouble::key)
                .containsExactly("bad\nkey");
    }

    @Test
    void aSourceThatTurnsInACircleIsToldOfInsteadOfFollowed() {
        want(100);
        Moves circling = new Moves(
                owners, mover, (last, limit) -> List.of("a"), () -> Optional.of(directive.get()), settings(), now::get);
        run(
                circling,
                () -> circling.progress().planRevision() > 0
                        && circling.progress().problem().isPresent());
        assertThat(circling.progress().problem().orElseThrow()).contains("after a ends with it again");
    }

    @Test
    void movesNothingBeforeAPlanWasRead() {
        addKeys(20);
        owners.handOver(owners.freeze("k0001", Side.NEW, 5), copy);
        Moves blind = new Moves(owners, mover, this::page, Optional::empty, settings(), now::get);
        for (int i = 0; i < 100; i++) {
            now.addAndGet(blind.step().toNanos());
        }
        assertThat(owners.of("k0001").side()).isEqualTo(Side.NEW);
        assertThat(blind.progress().state()).isEqualTo(Progress.State.PAUSED);
        assertThat(blind.progress().problem()).isPresent();
    }

    private Moves moves() {
        return new Moves(owners, mover, this::page, () -> Optional.of(directive.get()), settings(), now::get);
    }

    private static Moves.Settings settings() {
        return new Moves.Settings(16, 1, Duration.ofSeconds(5), Duration.ofSeconds(5));
    }

    private List<String> page(String last, int limit) {
        return keys.tailSet(last, false).stream().limit(limit).toList();
    }

    private void addKeys(int count) {
        for (int i = 0; i < count; i++) {
            keys.add(String.format("k%04d", i));
        }
    }

    private void want(int percent) {
        directive.updateAndGet(before -> before.with(before.plan().withPercent(percent)));
    }

    private void pace(Pace pace) {
        directive.updateAndGet(before -> before.with(pace));
    }

    private long wantedAtNew() {
        Plan plan = directive.get().plan();
        return keys.stream().filter(key -> plan.wanted(key) == Side.NEW).count();
    }

    private void assertAllWhereWanted() {
        Plan plan = directive.get().plan();
        assertThat(keys).allSatisfy(key -> {
            assertThat(owners.of(key).side()).isEqualTo(plan.wanted(key));
            assertThat(owners.of(key).isFrozen()).isFalse();
        });
    }

    private void run(BooleanSupplier isEnough) {
        run(moves, isEnough);
    }

    private void run(Moves which, BooleanSupplier isEnough) {
        for (int i = 0; i < 100_000; i++) {
            if (isEnough.getAsBoolean()) {
                return;
            }
            now.addAndGet(which.step().toNanos());
        }
        throw new AssertionError("not after 100,000 steps: " + which.progress());
    }

    private void runFor(Duration time) {
        long end = now.get() + time.toNanos();
        run(moves, () -> now.get() >= end);
    }

    /** What kill -9 does, as far as the database can see. */
    private static final class Killed extends Error {
        private static final long serialVersionUID = 1L;
    }
}
