package io.sluice.migration.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.core.problem.RefusedException;
import io.sluice.migration.branch.BusinessAnswerException;
import io.sluice.migration.branch.Grant;
import io.sluice.migration.branch.NothingHappenedException;
import io.sluice.migration.branch.Outcome;
import io.sluice.migration.branch.Read;
import io.sluice.migration.branch.UnknownOperationException;
import io.sluice.migration.branch.UnknownOutcomeException;
import io.sluice.migration.branch.Versioned;
import io.sluice.migration.evidence.Tally;
import io.sluice.migration.kit.InMemoryOwners;
import io.sluice.migration.kit.MemoryStock;
import io.sluice.migration.kit.MemoryStock.Mood;
import io.sluice.migration.kit.MemoryStore;
import io.sluice.migration.kit.MemoryTransaction;
import io.sluice.migration.move.HandBack;
import io.sluice.migration.move.MoveListener;
import io.sluice.migration.move.Mover;
import io.sluice.migration.owner.Owned;
import io.sluice.migration.owner.OwnerChangedException;
import io.sluice.migration.plan.Plan;
import io.sluice.migration.plan.PlanSource;
import io.sluice.migration.plan.Side;
import io.sluice.migration.shadow.SecondLook;
import io.sluice.testing.Requirement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class RouterTest {
    private static final String KEY = "sku-1";
    private static final Duration WAIT = Duration.ofSeconds(2);
    private static final Read<MemoryStock, Integer> AVAILABLE =
            Read.named("available", (side, grant) -> side.available(grant));

    /** Time that only pauses move on, and nothing else. */
    private final AtomicLong nanos = new AtomicLong();

    private final List<Duration> pauses = new ArrayList<>();
    private final MemoryStore store = new MemoryStore();
    private final InMemoryOwners owners = new InMemoryOwners(store, nanos::get);
    private final MemoryStock legacy = new MemoryStock(store, owners);
    private final MemoryStock newer = new MemoryStock(store, owners);
    private final Mover<MemoryTransaction> mover =
            new Mover<>(owners, MemoryStock.copy(legacy, newer), Duration.ofSeconds(1), MoveListener.NONE, nanos::get);
    private final Plans plans = new Plans(plan(2, 100));
    private final Counts counts = new Counts();
    private Runnable onPause = () -> {};
    private int handBacks;
    private Router<MemoryStock> router = router(plans, counted(mover));

    RouterTest() {
        legacy.stock(KEY, 7);
    }

    @Test
    @Requirement("I1")
    void aKeyThatThePlanHasMovedIsWrittenAtOnce() {
        moved();

        assertThat(take("op-1", 2)).isEqualTo(5);

        assertThat(newer.asked())
                .containsExactly(Grant.of(KEY, Side.NEW, plans.current().epoch()));
        assertThat(legacy.asked()).isEmpty();
        assertThat(counts).hasToString("{new=1}");
    }

    @Test
    void aKeyThatIsYetToMoveIsWrittenWhereItIsAndRemembered() {
        take("op-1", 2);
        take("op-2", 2);

        assertThat(newer.asked()).as("the first guess alone").hasSize(1);
        assertThat(legacy.rows().get(KEY).available()).isEqualTo(3);
        assertThat(counts).hasToString("{behind=1, legacy=2}");
        assertThat(pauses).isEmpty();
    }

    @Test
    void whatIsRememberedIsDroppedOnceTheKeyHasMoved() {
        take("op-1", 2);
        moved();
        take("op-2", 2);
        assertThat(legacy.asked()).as("the one that was remembered, refused").hasSize(2);

        take("op-3", 1);

        assertThat(legacy.asked()).hasSize(2);
        assertThat(newer.rows().get(KEY).available()).isEqualTo(2);
    }

    @Test
    void aKeyThatMovedTwiceUnderOnePlanIsRememberedByItsEpoch() {
        moved();
        mover.move(KEY, Side.LEGACY, 0);
        mover.move(KEY, Side.NEW, 0);

        take("op-1", 1);
        take("op-2", 1);
        take("op-3", 1);

        assertThat(newer.asked()).as("one refused, then three").hasSize(4);
        assertThat(counts).hasToString("{behind=1, new=3}");
    }

    @Test
    @Requirement({"I7", "F70"})
    void aRouterThatIsBehindByTwoPlansLooksItUp() {
        Plans old = new Plans(plan(2, 0));
        Router<MemoryStock> behind = router(old, mover);
        mover.move(KEY, Side.NEW, plan(3, 50).epoch());
        mover.move(KEY, Side.LEGACY, plan(4, 60).epoch());
        mover.move(KEY, Side.NEW, plan(4, 60).epoch());
        old.next = plan(4, 100);

        assertThat(behind.write(KEY, "op-1", in(WAIT), take("op-1"))).isEqualTo(6);

        assertThat(old.refreshes).isEqualTo(1);
        assertThat(old.current().revision()).isEqualTo(4);
        assertThat(legacy.asked()).hasSize(1);
        assertThat(newer.asked()).hasSize(1);
    }

    @Test
    @Requirement("I7")
    void twoRoutersThatDisagreeWriteOneLedger() {
        Router<MemoryStock> old = router(new Plans(plan(2, 0)), mover);
        Router<MemoryStock> current = router(new Plans(plan(3, 100)), mover);
        List<Integer> left = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            left.add(old.write(KEY, "old-" + i, in(WAIT), take("old-" + i)));
            left.add(current.write(KEY, "current-" + i, in(WAIT), take("current-" + i)));
            if (i == 1) {
                mover.move(KEY, Side.NEW, plan(3, 100).epoch());
            }
        }

        assertThat(left).containsExactly(6, 5, 4, 3, 2, 1);
        assertThat(newer.rows().get(KEY).taken()).hasSize(6);
    }

    @Test
    void aFrozenKeyIsWaitedForWithGrowingPauses() {
        Owned frozen = owners.freeze(KEY, Side.NEW, plans.current().epoch());
        onPause = () -> {
            if (pauses.size() == 8) {
                mover.finish(frozen, WAIT);
            }
        };

        assertThat(take("op-1", 2)).isEqualTo(5);

        assertThat(pauses).extracting(Duration::toMillis).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 50L, 50L);
        assertThat(newer.rows().get(KEY).available()).isEqualTo(5);
    }

    @Test
    void aFrozenKeyIsWaitedForUntilTheDeadlineOnly() {
        owners.freeze(KEY, Side.NEW, plans.current().epoch());

        assertThatThrownBy(() -> router.write(KEY, "op-1", in(Duration.ofMillis(300)), take("op-1")))
                .isInstanceOf(NothingHappenedException.class)
                .isNotInstanceOf(OwnerChangedException.class)
                .hasMessageContaining("being moved");

        assertThat(Duration.ofNanos(nanos.get())).isEqualTo(Duration.ofMillis(300));
        assertThat(owners.of(KEY).isFrozen()).as("somebody may be at it").isTrue();
    }

    @Test
    @Requirement({"I7", "F70"})
    void theKeyOfADeadMoverIsFinishedByAWriter() {
        owners.freeze(KEY, Side.NEW, plans.current().epoch());

        assertThat(take("op-1", 2)).isEqualTo(5);

        assertThat(Duration.ofNanos(nanos.get())).isBetween(Duration.ofSeconds(1), Duration.ofMillis(1100));
        assertThat(owners.of(KEY)).extracting(Owned::side, Owned::isFrozen).containsExactly(Side.NEW, false);
    }

    @Test
    void aMoveThatCantBeFinishedIsGivenUpAndTheWriteStays() {
        Mover<MemoryTransaction> failing = new Mover<>(
                owners,
                (transaction, key, from, to) -> {
                    throw new IllegalStateException("column missing");
                },
                WAIT,
                MoveListener.NONE,
                nanos::get);
        router = router(plans, failing);
        owners.freeze(KEY, Side.NEW, plans.current().epoch());

        assertThat(take("op-1", 2)).isEqualTo(5);

        assertThat(legacy.rows().get(KEY).available()).isEqualTo(5);
    }

    /** Every kind of error, from both sides, while the caller waits and when its time is over by then. */
    @ParameterizedTest
    @CsvSource({
        // side, mood, the caller waits, expected, who wrote, counted
        "NEW,    FINE,         true,  5,       NEW,    '{new=1}'",
        "NEW,    FINE,         false, 5,       NEW,    '{new=1}'",
        "NEW,    UNAVAILABLE,  true,  5,       LEGACY, '{fellBack=1, legacy=1}'",
        "NEW,    UNAVAILABLE,  false, nothing, NOBODY, '{unanswered new=1}'",
        "NEW,    ANSWER_LOST,  true,  unknown, NEW,    '{unknown new=1}'",
        "NEW,    ANSWER_LOST,  false, unknown, NEW,    '{unknown new=1}'",
        "NEW,    REQUEST_LOST, true,  unknown, NOBODY, '{unknown new=1}'",
        "NEW,    REQUEST_LOST, false, unknown, NOBODY, '{unknown new=1}'",
        "NEW,    BROKEN,       true,  unknown, NEW,    '{unknown new=1}'",
        "NEW,    BROKEN,       false, unknown, NEW,    '{unknown new=1}'",
        "LEGACY, FINE,         true,  5,       LEGACY, '{legacy=1}'",
        "LEGACY, FINE,         false, 5,       LEGACY, '{legacy=1}'",
        "LEGACY, UNAVAILABLE,  true,  nothing, NOBODY, '{unanswered legacy=1}'",
        "LEGACY, UNAVAILABLE,  false, nothing, NOBODY, '{unanswered legacy=1}'",
        "LEGACY, ANSWER_LOST,  true,  unknown, LEGACY, '{unknown legacy=1}'",
        "LEGACY, ANSWER_LOST,  false, unknown, LEGACY, '{unknown legacy=1}'",
        "LEGACY, REQUEST_LOST, true,  unknown, NOBODY, '{unknown legacy=1}'",
        "LEGACY, REQUEST_LOST, false, unknown, NOBODY, '{unknown legacy=1}'",
        "LEGACY, BROKEN,       true,  unknown, LEGACY, '{unknown legacy=1}'",
        "LEGACY, BROKEN,       false, unknown, LEGACY, '{unknown legacy=1}'",
    })
    @Requirement({"I3", "F71"})
    void onlyUnavailableFallsBackAndOnlyWhileTheCallerWaits(
            Side side, Mood mood, boolean waits, String expected, String writer, String counted) {
        if (side == Side.NEW) {
            moved();
        } else {
            plans.plan = plan(2, 0);
        }
        MemoryStock owner = side == Side.NEW ? newer : legacy;
        MemoryStock other = side == Side.NEW ? legacy : newer;
        int before = other.asked().size();
        owner.become(mood);
        if (!waits) {
            owner.onTake((operationId, grant) -> nanos.addAndGet(WAIT.toNanos()));
        }

        Object answer;
        try {
            answer = take("op-1", 2);
        } catch (NothingHappenedException nothing) {
            answer = "nothing";
        } catch (UnknownOutcomeException unknown) {
            assertThat(unknown.operationId()).isEqualTo("op-1");
            answer = "unknown";
        }

        assertThat(String.valueOf(answer)).isEqualTo(expected);
        boolean fellBack = side == Side.NEW && writer.equals("LEGACY");
        assertThat(other.asked()).as("asked on the other side").hasSize(before + (fellBack ? 1 : 0));
        assertThat(wrote(newer)).isEqualTo(writer.equals("NEW"));
        assertThat(wrote(legacy)).isEqualTo(writer.equals("LEGACY"));
        assertThat(owners.of(KEY).side()).isEqualTo(fellBack ? Side.LEGACY : side);
        assertThat(handBacks).isEqualTo(fellBack ? 1 : 0);
        assertThat(counts).hasToString(counted);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Requirement("I3")
    void outOfStockNeverFallsBack(boolean isNew) {
        if (isNew) {
            moved();
        } else {
            plans.plan = plan(2, 0);
        }

        assertThatThrownBy(() -> take("op-1", 8)).isInstanceOf(MemoryStock.OutOfStockException.class);

        assertThat(newer.asked()).hasSize(isNew ? 1 : 0);
        assertThat(legacy.asked()).hasSize(isNew ? 0 : 1);
        assertThat(counts).hasToString("{}");
    }

    @Test
    @Requirement("I3")
    void aFallbackTakesTheLedgerAlongAndLastsForThisPlan() {
        moved();
        take("op-1", 2);
        newer.become(Mood.UNAVAILABLE);

        assertThat(take("op-2", 2)).isEqualTo(3);
        assertThat(take("op-3", 1)).isEqualTo(2);

        assertThat(counts).hasToString("{fellBack=1, legacy=2, new=1}");
        Owned owned = owners.of(KEY);
        assertThat(plans.current().isHandedBack(owned.side(), owned.epoch()))
                .as("not moved again under this plan")
                .isTrue();
        assertThat(newer.asked()).as("not asked again").hasSize(2);
    }

    @Test
    void anOutageOfNewBeforeTheKeyMovedGoesToLegacyAtOnce() {
        newer.become(Mood.UNAVAILABLE);

        assertThat(take("op-1", 2)).isEqualTo(5);

        assertThat(owners.of(KEY)).isEqualTo(Owned.neverMoved(KEY));
    }

    @Test
    void aFallbackWhileTheKeyIsOnItsWayToNewGivesThatMoveUp() {
        owners.freeze(KEY, Side.NEW, plans.current().epoch());
        newer.become(Mood.UNAVAILABLE);

        assertThat(take("op-1", 2)).isEqualTo(5);

        assertThat(owners.of(KEY)).extracting(Owned::side, Owned::isFrozen).containsExactly(Side.LEGACY, false);
        assertThat(pauses).isEmpty();
    }

    @Test
    void legacyMayAnswerNoAfterAFallback() {
        moved();
        newer.become(Mood.UNAVAILABLE);

        assertThatThrownBy(() -> take("op-1", 8)).isInstanceOf(MemoryStock.OutOfStockException.class);

        assertThat(counts).hasToString("{fellBack=1}");
        assertThat(owners.of(KEY).side()).isEqualTo(Side.LEGACY);
    }

    @Test
    void bothSidesUnavailableIsTriedOnceEach() {
        moved();
        newer.become(Mood.UNAVAILABLE);
        legacy.become(Mood.UNAVAILABLE);

        assertThatThrownBy(() -> take("op-1", 1)).isInstanceOf(NothingHappenedException.class);

        assertThat(newer.asked()).hasSize(1);
        assertThat(legacy.asked()).hasSize(1);
        assertThat(counts).hasToString("{fellBack=1, unanswered legacy=1}");
    }

    @Test
    void aKeyThatGoesBackToNewInTheMiddleOfAFallbackFallsBackOnceOnly() {
        moved();
        newer.become(Mood.UNAVAILABLE);
        legacy.onTake((operationId, grant) -> mover.move(KEY, Side.NEW, 0));

        assertThatThrownBy(() -> take("op-1", 1)).isInstanceOf(NothingHappenedException.class);

        assertThat(newer.asked()).hasSize(2);
        assertThat(owners.of(KEY).side()).isEqualTo(Side.NEW);
    }

    @Test
    void aHandBackThatFailsSaysBothReasons() {
        moved();
        newer.become(Mood.UNAVAILABLE);
        router = router(plans, new HandBack() {
            @Override
            public Owned toLegacy(Owned owned, Duration within) {
                throw new IllegalStateException("column missing");
            }

            @Override
            public Owned finish(Owned frozen, Duration within) {
                return frozen;
            }
        });

        NothingHappenedException nothing = catchThrowableOfType(NothingHappenedException.class, () -> take("op-1", 1));

        assertThat(nothing).hasMessageContaining("stock is not available").hasMessageContaining("column missing");
        assertThat(nothing.getCause()).hasMessage("stock is not available");
        assertThat(nothing.getCause().getSuppressed()).hasSize(1);
        assertThat(legacy.asked()).isEmpty();
        assertThat(counts).hasToString("{unanswered new=1}");
    }

    @Test
    void aHandBackThatIsNotDoneInTimeSaysSo() {
        moved();
        newer.become(Mood.UNAVAILABLE);
        Duration left = Duration.ofMillis(50);
        Throwable thrown;
        try (MemoryTransaction open = store.begin()) {
            owners.admitWrite(open, Grant.of(KEY, Side.NEW, plans.current().epoch()));
            thrown = catchThrowable(() -> router.write(KEY, "op-1", in(left), take("op-1")));
        }

        assertThat(thrown)
                .isInstanceOf(NothingHappenedException.class)
                .hasMessageContaining("stock is not available")
                .hasMessageContaining("could not be handed back in time");
        assertThat(owners.of(KEY)).extracting(Owned::side, Owned::isFrozen).containsExactly(Side.NEW, false);
        assertThat(legacy.asked()).isEmpty();
    }

    @Test
    void withoutAHandBackNothingFallsBack() {
        moved();
        newer.become(Mood.UNAVAILABLE);
        router = Router.<MemoryStock>builder()
                .legacy(legacy)
                .newer(newer)
                .plans(plans)
                .tally(counts)
                .build();

        assertThatThrownBy(() -> take("op-1", 1)).hasMessage("stock is not available");

        assertThat(owners.of(KEY).side()).isEqualTo(Side.NEW);
        assertThat(counts).hasToString("{unanswered new=1}");
    }

    @Test
    @Requirement("F71")
    void aWriteOfUnknownOutcomeIsSentAgainAfterItsKeyHasMoved() {
        moved();
        newer.become(Mood.ANSWER_LOST);
        assertThatThrownBy(() -> take("op-1", 2)).isInstanceOf(UnknownOutcomeException.class);
        mover.move(KEY, Side.LEGACY, 0);

        assertThat(take("op-1", 2)).isEqualTo(5);

        assertThat(legacy.rows().get(KEY).taken()).containsOnly(Map.entry("op-1", 2));
    }

    @Test
    @Requirement("F71")
    void theOutcomeIsAskedOfWhoeverOwnsTheKeyNow() {
        moved();
        newer.become(Mood.ANSWER_LOST);
        assertThatThrownBy(() -> take("op-1", 2)).isInstanceOf(UnknownOutcomeException.class);
        mover.move(KEY, Side.LEGACY, 0);

        assertThat(router.outcome(KEY, "op-1", in(WAIT))).isEqualTo(Outcome.HAPPENED);
        assertThat(router.outcome(KEY, "op-2", in(WAIT))).isEqualTo(Outcome.DID_NOT_HAPPEN);
        assertThat(take("op-2", 2)).as("called off for good").isEqualTo(5);
    }

    @Test
    @Requirement("F71")
    void theOutcomeOfAWriteToASideThatIsGoneIsKnownAfterTheHandBack() {
        moved();
        newer.become(Mood.ANSWER_LOST);
        assertThatThrownBy(() -> take("op-1", 2)).isInstanceOf(UnknownOutcomeException.class);
        newer.become(Mood.UNAVAILABLE);

        assertThat(router.outcome(KEY, "op-1", in(WAIT))).isEqualTo(Outcome.HAPPENED);
        assertThat(owners.of(KEY).side()).isEqualTo(Side.LEGACY);
    }

    @Test
    void anOutcomeThatNobodyCanTellIsNotAnAnswer() {
        newer.become(Mood.UNAVAILABLE);
        legacy.become(Mood.UNAVAILABLE);

        assertThatThrownBy(() -> router.outcome(KEY, "op-1", in(WAIT)))
                .isInstanceOfSatisfying(
                        UnknownOutcomeException.class,
                        unknown -> assertThat(unknown.operationId()).isEqualTo("op-1"));
    }

    @ParameterizedTest
    @CsvSource({"NEW", "LEGACY"})
    @Requirement({"I4", "F72"})
    void aForgedPrefixIsOnlyAHint(Side hint) {
        moved();
        take("op-1", 2);
        int legacyAsked = legacy.asked().size();

        assertThat(putBack("op-1", hint)).isEqualTo(7);

        assertThat(legacy.asked()).as("never written on both").hasSize(legacyAsked);
    }

    @Test
    @Requirement({"I4", "F72"})
    void aReleaseFindsItsKeyAlthoughItHasMovedBackSince() {
        moved();
        take("op-1", 2);
        mover.move(KEY, Side.LEGACY, 0);
        int newAsked = newer.asked().size();

        assertThat(putBack("op-1", Side.NEW)).isEqualTo(7);

        assertThat(legacy.rows().get(KEY).available()).isEqualTo(7);
        assertThat(newer.asked()).as("the guess that the plan gives, refused").hasSize(newAsked + 1);
        assertThat(newer.rows().get(KEY).available()).isEqualTo(5);
    }

    @Test
    @Requirement("F72")
    void aKeyThatMovesWhileBothSidesAreAskedIsFound() {
        plans.plan = plan(2, 0);
        take("op-1", 2);
        legacy.onKeyOf(() -> {
            mover.move(KEY, Side.NEW, plan(2, 0).epoch());
            legacy.forget(KEY);
        });

        assertThat(putBack("op-1", Side.NEW)).isEqualTo(7);
    }

    @Test
    @Requirement("F72")
    void anUnknownIdIsABusinessAnswer() {
        assertThatThrownBy(() -> putBack("nv-1", Side.NEW))
                .isInstanceOf(BusinessAnswerException.class)
                .isInstanceOfSatisfying(
                        UnknownOperationException.class,
                        unknown -> assertThat(unknown.operationId()).isEqualTo("nv-1"));
        assertThat(newer.asked()).isEmpty();
        assertThat(legacy.asked()).isEmpty();
    }

    @Test
    @Requirement("F72")
    void anIdIsNotUnknownWhileASideCantTell() {
        legacy.become(Mood.UNAVAILABLE);

        assertThatThrownBy(() -> putBack("nv-1", Side.NEW)).isInstanceOf(NothingHappenedException.class);
    }

    @Test
    @Requirement("I4")
    void theSideThatKnowsIsEnough() {
        moved();
        take("op-1", 2);
        legacy.become(Mood.UNAVAILABLE);

        assertThat(putBack("op-1", Side.LEGACY)).isEqualTo(7);
    }

    @Test
    void aReadFollowsTheOwnerAndOnlyItsAnswerIsOffered() {
        List<String> offers = new ArrayList<>();
        router = Router.<MemoryStock>builder()
                .legacy(legacy)
                .newer(newer)
                .plans(plans)
                .tally(counts)
                .secondLook(new SecondLook<>() {
                    @Override
                    public <R> void offer(Grant grant, Read<MemoryStock, R> read, Versioned<R> answer) {
                        offers.add(read.name() + " " + grant.side() + " " + answer.value());
                        throw new IllegalStateException("full");
                    }
                })
                .build();

        assertThat(router.read(KEY, in(WAIT), AVAILABLE)).isEqualTo(7);

        assertThat(offers).containsExactly("available LEGACY 7");
        assertThat(counts).hasToString("{behind=1, legacy=1, notCompared=1}");
    }

    @Test
    void aFrozenKeyIsReadWithoutAPause() {
        owners.freeze(KEY, Side.NEW, plans.current().epoch());

        assertThat(router.read(KEY, in(WAIT), AVAILABLE)).isEqualTo(7);

        assertThat(pauses).isEmpty();
    }

    @Test
    void aReadMovesNothing() {
        moved();
        newer.become(Mood.UNAVAILABLE);

        assertThatThrownBy(() -> router.read(KEY, in(WAIT), AVAILABLE)).isInstanceOf(NothingHappenedException.class);

        assertThat(owners.of(KEY).side()).isEqualTo(Side.NEW);
        assertThat(legacy.asked()).isEmpty();
        assertThat(counts).hasToString("{unanswered new=1}");
    }

    @Test
    void whatElseAReadThrowsComesOutAsItIs() {
        moved();
        newer.become(Mood.BROKEN);

        assertThatThrownBy(() -> router.read(KEY, in(WAIT), AVAILABLE)).isInstanceOf(IllegalStateException.class);
        assertThat(counts).as("nobody has answered").hasToString("{unanswered new=1}");
    }

    @Test
    void nothingIsTriedForACallerThatHasGone() {
        assertThatThrownBy(() -> router.write(KEY, "op-1", in(Duration.ZERO), take("op-1")))
                .isInstanceOf(NothingHappenedException.class);
        assertThatThrownBy(() -> router.read(KEY, in(Duration.ZERO), AVAILABLE))
                .isInstanceOf(NothingHappenedException.class);
        assertThatThrownBy(() -> router.writeByOperation("op-1", Side.NEW, "op-2", in(Duration.ZERO), take("op-2")))
                .isInstanceOf(NothingHappenedException.class);

        assertThat(newer.asked()).isEmpty();
        assertThat(legacy.asked()).isEmpty();
    }

    @Test
    void aCallerThatIsInterruptedWaitsNoLonger() {
        owners.freeze(KEY, Side.NEW, plans.current().epoch());
        onPause = () -> Thread.currentThread().interrupt();

        assertThatThrownBy(() -> take("op-1", 1)).isInstanceOf(NothingHappenedException.class);

        assertThat(Thread.interrupted()).as("the interrupt is kept").isTrue();
        assertThat(pauses).hasSize(1);
    }

    @Test
    void aCallerThatWasInterruptedDoesNotFallBack() {
        moved();
        newer.become(Mood.UNAVAILABLE);
        newer.onTake((operationId, grant) -> Thread.currentThread().interrupt());

        assertThatThrownBy(() -> router.write(KEY, "op-1", Deadline.in(WAIT), take("op-1")))
                .isInstanceOf(NothingHappenedException.class);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(owners.of(KEY).side()).isEqualTo(Side.NEW);
    }

    @Test
    void aFenceThatContradictsItselfEndsTheCall() {
        AtomicLong tries = new AtomicLong();

        assertThatThrownBy(() -> router.write(KEY, "op-1", in(Duration.ofHours(1)), (side, grant) -> {
                    tries.incrementAndGet();
                    throw new OwnerChangedException(
                            grant, new Owned(KEY, grant.side().other(), 0, null, Duration.ZERO));
                }))
                .isInstanceOf(NothingHappenedException.class)
                .hasMessageContaining("sent it round");

        assertThat(tries.get()).isEqualTo(21);
    }

    @ParameterizedTest
    @NullAndEmptySource
    @ValueSource(strings = {"a\nb", "\ud800"})
    void aKeyThatIsNoneIsRefusedBeforeAnybodyIsAsked(String key) {
        assertThatThrownBy(() -> router.write(key, "op-1", in(WAIT), take("op-1")))
                .isInstanceOf(RefusedException.class);
        assertThatThrownBy(() -> router.read(key, in(WAIT), AVAILABLE)).isInstanceOf(RefusedException.class);
        assertThatThrownBy(() -> router.outcome(key, "op-1", in(WAIT))).isInstanceOf(RefusedException.class);
        assertThatThrownBy(() -> router.route(key)).isInstanceOf(RefusedException.class);

        assertThat(newer.asked()).isEmpty();
        assertThat(legacy.asked()).isEmpty();
    }

    @ParameterizedTest
    @NullAndEmptySource
    void anOperationWithoutAnIdIsRefused(String id) {
        assertThatThrownBy(() -> router.write(KEY, id, in(WAIT), take("op-1"))).hasMessageContaining("operationId was");
        assertThatThrownBy(() -> putBack(id, Side.NEW)).hasMessageContaining("earlierId was");

        assertThat(newer.asked()).isEmpty();
    }

    @Test
    void everythingThatIsMissingIsSaidAtOnce() {
        assertThatThrownBy(() -> Router.<MemoryStock>builder()
                        .finishAfter(Duration.ofHours(1))
                        .build())
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused -> assertThat(refused.problems())
                                .extracting(problem -> problem.path())
                                .containsExactly("legacy", "newer", "plans", "finishAfter"));
        assertThatThrownBy(() -> Router.<MemoryStock>builder()
                        .legacy(legacy)
                        .newer(legacy)
                        .plans(plans)
                        .build())
                .hasMessage("newer was the same as legacy, but must be another implementation");
    }

    @Test
    void saysWhichSideIsWantedAndWhichOneOwns() {
        assertThat(router.explain(KEY, owners))
                .isEqualTo("key sku-1 (bucket 80): wanted at new by plan 2 of stock (newPercent 100), "
                        + "owned by legacy, never moved; to be moved");
        owners.freeze(KEY, Side.NEW, plans.current().epoch());
        assertThat(router.explain(KEY, owners)).endsWith("owned by legacy since plan 2, being moved to new");
        owners.release(owners.of(KEY));
        assertThat(router.explain(KEY, owners)).endsWith("owned by legacy since plan 2; to be moved");
        moved();
        mover.toLegacy(owners.of(KEY), WAIT);
        assertThat(router.explain(KEY, owners))
                .endsWith("owned by legacy since plan 2; handed back until the next plan");
        plans.plan = new Plan("stock", 3, 0, Set.of(KEY), Set.of());
        assertThat(router.explain(KEY, owners)).contains("(alsoNew names it)").endsWith("; to be moved");
        mover.move(KEY, Side.NEW, 9L << 20);
        plans.plan = plan(4, 0);
        plans.next = plans.plan;
        assertThat(router.explain(KEY, owners))
                .endsWith("owned by new since plan 9; this process does not know that plan");
        assertThat(router.route(KEY).first()).isEqualTo(Side.LEGACY);
        router.write(KEY, "op-1", in(WAIT), take("op-1"));
        assertThat(router.route(KEY)).extracting(Route::wanted, Route::first).containsExactly(Side.LEGACY, Side.NEW);
    }

    private int take(String operationId, int quantity) {
        return router.write(KEY, operationId, in(WAIT), (side, grant) -> side.take(grant, operationId, quantity));
    }

    private int putBack(String earlierId, Side hint) {
        return router.writeByOperation(
                earlierId, hint, "back-" + earlierId, in(WAIT), (side, grant) -> side.putBack(grant, earlierId));
    }

    private static Write<MemoryStock, Integer> take(String operationId) {
        return (side, grant) -> side.take(grant, operationId, 1);
    }

    private static boolean wrote(MemoryStock side) {
        MemoryStock.Row row = side.rows().get(KEY);
        return row != null && row.taken().containsKey("op-1");
    }

    private void moved() {
        mover.move(KEY, Side.NEW, plans.current().epoch());
    }

    private Deadline in(Duration wait) {
        return Deadline.in(wait, nanos::get, () -> false);
    }

    private static Plan plan(long revision, int percent) {
        return new Plan("stock", revision, percent, Set.of(), Set.of());
    }

    private Router<MemoryStock> router(PlanSource source, HandBack handBack) {
        return Router.<MemoryStock>builder()
                .legacy(legacy)
                .newer(newer)
                .plans(source)
                .handBack(handBack)
                .tally(counts)
                .sleeper(duration -> {
                    pauses.add(duration);
                    nanos.addAndGet(duration.toNanos());
                    onPause.run();
                    if (Thread.currentThread().isInterrupted()) {
                        throw keepingTheFlagDown();
                    }
                })
                .build();
    }

    private HandBack counted(HandBack by) {
        return new HandBack() {
            @Override
            public Owned toLegacy(Owned owned, Duration within) {
                handBacks++;
                return by.toLegacy(owned, within);
            }

            @Override
            public Owned finish(Owned frozen, Duration within) {
                return by.finish(frozen, within);
            }
        };
    }

    /** As Thread.sleep does. */
    private static InterruptedException keepingTheFlagDown() {
        Thread.interrupted();
        return new InterruptedException();
    }

    private static final class Plans implements PlanSource {
        private Plan plan;
        private Plan next;
        private int refreshes;

        Plans(Plan plan) {
            this.plan = plan;
            this.next = plan;
        }

        @Override
        public Plan current() {
            return plan;
        }

        @Override
        public Plan refresh() {
            refreshes++;
            plan = next;
            return plan;
        }
    }

    private static final class Counts implements Tally {
        private final TreeMap<String, Integer> counted = new TreeMap<>();

        @Override
        public void succeeded(Side side) {
            count(side.label());
        }

        @Override
        public void fellBack() {
            count("fellBack");
        }

        @Override
        public void unanswered(Side side) {
            count("unanswered " + side.label());
        }

        @Override
        public void unknown(Side side) {
            count("unknown " + side.label());
        }

        @Override
        public void wasBehind() {
            count("behind");
        }

        @Override
        public void notCompared() {
            count("notCompared");
        }

        private void count(String what) {
            counted.merge(what, 1, Integer::sum);
        }

        @Override
        public String toString() {
            return counted.toString();
        }
    }
}
