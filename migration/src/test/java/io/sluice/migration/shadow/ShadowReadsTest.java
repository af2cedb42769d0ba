package io.sluice.migration.shadow;

import static io.sluice.migration.shadow.Shelf.AVAILABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.core.problem.RefusedException;
import io.sluice.migration.branch.BusinessAnswerException;
import io.sluice.migration.branch.Grant;
import io.sluice.migration.branch.NothingHappenedException;
import io.sluice.migration.branch.Read;
import io.sluice.migration.branch.Versioned;
import io.sluice.migration.owner.Owned;
import io.sluice.migration.owner.OwnerChangedException;
import io.sluice.migration.plan.Plan;
import io.sluice.migration.plan.PlanSource;
import io.sluice.migration.plan.Side;
import io.sluice.migration.routing.Deadline;
import io.sluice.migration.routing.Router;
import io.sluice.testing.Requirement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ShadowReadsTest {
    private static final Grant GRANT = Grant.of("sku-1", Side.LEGACY, 1L << 20);
    private static final Duration LONG_PAUSE = Duration.ofMinutes(10);
    private static final Instant NOW = Instant.parse("2026-11-30T10:00:00Z");

    private final Shelf legacy = new Shelf(7, 3);
    private final Shelf newer = new Shelf(7, 3);
    private final Counted counted = new Counted();
    private final CountDownLatch thaw = new CountDownLatch(1);

    /** Long enough that nothing is late on a busy machine, unless a test shortens it. */
    private final ShadowReads.Builder<Shelf> builder = ShadowReads.builder(legacy, newer)
            .sample(10_000)
            .timeOut(Duration.ofSeconds(10))
            .pause(LONG_PAUSE)
            .tally(counted)
            .clock(() -> NOW);

    private ShadowReads<Shelf> shadow = builder.start();
    private Router<Shelf> router = router();

    @AfterEach
    void thawAndStop() {
        thaw.countDown();
        shadow.close();
    }

    @Requirement("I5")
    @Test
    void aReadThatBothSidesAnswerAlikeIsComparedAndTheSame() {
        read();

        await().until(() -> counted.all() == 1);
        assertThat(counted.same).hasValue(1);
        assertThat(newer.reads).hasValue(1);
        assertThat(legacy.reads).as("the authority is not asked again").hasValue(1);
    }

    @Requirement("I5")
    @Test
    void aDifferenceAtTheSameVersionIsKeptWithBothValues() {
        newer.becomes(new Versioned<>(5, 3));

        assertThat(read()).isEqualTo(7);

        await().until(() -> counted.all() == 1);
        assertThat(counted.different).hasValue(1);
        assertThat(shadow.differences().kept())
                .containsExactly(new Difference(1, "sku-1", "available", 3, Side.LEGACY, "7", "5", NOW));
    }

    @Test
    void theNewSideIsTheAuthorityOfItsKeys() {
        newer.becomes(new Versioned<>(5, 3));

        newer.available(GRANT);
        shadow.offer(Grant.of("sku-2", Side.NEW, 1L << 20), AVAILABLE, newer.state());

        await().until(() -> counted.all() == 1);
        assertThat(shadow.differences().kept())
                .containsExactly(new Difference(1, "sku-2", "available", 3, Side.NEW, "5", "7", NOW));
    }

    @Test
    void theOtherSideIsAskedAsAShadowAndTheAuthorityByTheGrantItAnswered() {
        Queue<Grant> grants = new ConcurrentLinkedQueue<>();
        newer.becomes(new Versioned<>(5, 3));
        Read<Shelf, Integer> noted = (side, grant) -> {
            grants.add(grant);
            return side.available(grant);
        };

        shadow.offer(GRANT, noted, legacy.state());

        await().until(() -> counted.all() == 1);
        Grant onlooker = Grant.shadow("sku-1", Side.NEW);
        assertThat(grants).containsExactly(onlooker, GRANT, onlooker);
    }

    @Requirement("I5")
    @Test
    void theAuthoritysAnswerIsReturnedWhateverTheOtherSideDoes() {
        restart(builder.timeOut(Duration.ofMillis(20)).queue(4));
        List<Function<Versioned<Integer>, Versioned<Integer>>> misbehaviours = List.of(
                wrong -> new Versioned<>(-1, 3),
                failing -> {
                    throw new NothingHappenedException("down", null);
                },
                broken -> {
                    throw new AssertionError("not even an exception");
                },
                silent -> {
                    awaitUninterruptibly(thaw);
                    return silent;
                });
        for (var misbehaving : misbehaviours) {
            newer.reads(misbehaving);
            for (int i = 0; i < 100; i++) {
                assertThat(read()).isEqualTo(7);
            }
        }
    }

    @Requirement({"I5", "F73"})
    @Test
    void aFrozenSideHoldsNoMoreThanThreadsAndQueueAndIsLeftAlone() {
        // Long enough for all reads: had the side been left alone before the queue is full, fewer would wait.
        restart(builder.timeOut(Duration.ofSeconds(2)).threads(2).queue(4));
        newer.reads(state -> {
            awaitUninterruptibly(thaw);
            return state;
        });

        for (int i = 0; i < 10_000; i++) {
            read();
        }

        await().until(() -> shadow.isSuspended());
        assertThat(shadow.keptThreads()).isEqualTo(2);
        assertThat(newer.reads).hasValue(2);
        assertThat(counted.notCompared).hasValue(10_000 - 4);

        thaw.countDown();

        await().untilAsserted(() -> assertThat(counted.notCompared).hasValue(10_000));
        assertThat(shadow.keptThreads()).isZero();
        assertThat(newer.reads)
                .as("what waited was not asked behind an open breaker")
                .hasValue(2);
    }

    @Requirement({"I5", "F73"})
    @Test
    void aSilentSideThatCanBeInterruptedIsLeftAloneAndComparedAgainLater() {
        restart(builder.timeOut(Duration.ofMillis(20))
                .pause(Duration.ofSeconds(2))
                .queue(100));
        AtomicBoolean isFrozen = new AtomicBoolean(true);
        newer.reads(state -> {
            while (isFrozen.get()) {
                awaitOrThrow(thaw);
            }
            return state;
        });

        for (int i = 0; i < 50; i++) {
            read();
        }

        await().until(() -> counted.all() == 50);
        assertThat(counted.notCompared).hasValue(50);
        assertThat(newer.reads.get()).isBetween(10, 12);

        isFrozen.set(false);

        await().until(() -> {
            read();
            return counted.same.get() > 10;
        });
        assertThat(shadow.isSuspended()).isFalse();
        assertThat(shadow.keptThreads()).isZero();
    }

    @Test
    void anInterruptOfOneReadIsNotLeftToTheNext() {
        restart(builder.timeOut(Duration.ofMillis(20)).threads(1).queue(100));
        AtomicInteger strangers = new AtomicInteger();
        AtomicInteger turn = new AtomicInteger();
        newer.reads(state -> {
            if (Thread.currentThread().isInterrupted()) {
                strangers.incrementAndGet();
            }
            if (turn.getAndIncrement() % 3 == 0) {
                awaitUntilInterrupted();
            }
            return state;
        });

        for (int i = 0; i < 60; i++) {
            read();
        }

        await().until(() -> counted.all() == 60);
        assertThat(counted.notCompared).hasValueGreaterThanOrEqualTo(20);
        assertThat(strangers).hasValue(0);
    }

    @Requirement("I5")
    @Test
    void aFailingSideIsLeftAloneAndComparedAgainLater() {
        restart(builder.pause(Duration.ofSeconds(2)).queue(100).threads(1));
        newer.reads(state -> {
            throw new NothingHappenedException("down", null);
        });

        for (int i = 0; i < 50; i++) {
            read();
        }

        await().until(() -> counted.all() == 50);
        assertThat(newer.reads).hasValue(10);

        newer.reads(state -> state);

        await().until(() -> {
            read();
            return counted.same.get() > 10;
        });
        assertThat(shadow.isSuspended()).isFalse();
    }

    @Requirement("I5")
    @Test
    void aSlowSideIsLeftAloneThoughItAnswers() {
        restart(builder.timeOut(Duration.ofSeconds(1)).threads(10).queue(100));
        newer.reads(state -> {
            try {
                thaw.await(600, TimeUnit.MILLISECONDS);
            } catch (InterruptedException late) {
                throw new IllegalStateException(late);
            }
            return state;
        });

        for (int i = 0; i < 30; i++) {
            read();
        }

        await().until(() -> shadow.isSuspended());
        await().until(() -> counted.all() == 30);
        assertThat(newer.reads.get()).isBetween(10, 20);
    }

    @Requirement({"I5", "F74"})
    @Test
    void whatDiffersOnceAndNotAgainIsNoDifference() {
        AtomicInteger turn = new AtomicInteger();
        newer.reads(state -> turn.getAndIncrement() == 0 ? new Versioned<>(5, 3) : state);

        read();

        await().until(() -> counted.all() == 1);
        assertThat(counted.same).hasValue(1);
        assertThat(newer.reads).hasValue(2);
        assertThat(legacy.reads).hasValue(2);
    }

    @Requirement({"I5", "F74"})
    @Test
    void answersAtDifferentVersionsAreNotCompared() {
        newer.becomes(new Versioned<>(5, 2));

        read();

        await().until(() -> counted.all() == 1);
        assertThat(counted.notCompared).hasValue(1);
        assertThat(shadow.differences().kept()).isEmpty();
    }

    @Test
    void theSameValueAtAnotherVersionProvesNothing() {
        newer.becomes(new Versioned<>(7, 2));

        read();

        await().until(() -> counted.all() == 1);
        assertThat(counted.notCompared).hasValue(1);
    }

    @Test
    void aSideThatIsBehindIsMirroredBeforeTheSecondLook() {
        newer.becomes(new Versioned<>(1, 1));
        restart(builder.mirror(key -> {
            newer.becomes(legacy.state());
            return true;
        }));

        read();

        await().until(() -> counted.all() == 1);
        assertThat(counted.same).hasValue(1);
    }

    @Test
    void aSideThatDoesNotKnowTheKeyYetIsMirroredToo() {
        AtomicBoolean isKnown = new AtomicBoolean();
        newer.reads(state -> {
            if (!isKnown.get()) {
                throw new BusinessAnswerException("no such SKU");
            }
            return state;
        });
        restart(builder.mirror(key -> {
            isKnown.set(true);
            return true;
        }));

        read();

        await().until(() -> counted.all() == 1);
        assertThat(counted.same).hasValue(1);
    }

    @Test
    void aSideThatKeepsSayingNoIsNotComparedAndIsNoFailure() {
        newer.reads(state -> {
            throw new BusinessAnswerException("no such SKU");
        });
        restart(builder.queue(100));

        for (int i = 0; i < 50; i++) {
            read();
        }

        await().until(() -> counted.all() == 50);
        assertThat(counted.notCompared).hasValue(50);
        assertThat(shadow.isSuspended()).isFalse();
    }

    @Test
    void aKeyThatIsBeingMovedOrCanNotBeMirroredIsNotCompared() {
        newer.becomes(new Versioned<>(5, 3));
        AtomicInteger turn = new AtomicInteger();
        restart(builder.mirror(key -> {
            if (turn.getAndIncrement() == 0) {
                return false;
            }
            throw new IllegalStateException("no space left");
        }));

        read();
        await().until(() -> counted.all() == 1);
        read();
        await().until(() -> counted.all() == 2);

        assertThat(counted.notCompared).hasValue(2);
        assertThat(newer.reads).as("no second look").hasValue(2);
    }

    @Test
    void aKeyIsMirroredByOneThreadAtATime() {
        newer.becomes(new Versioned<>(5, 3));
        AtomicInteger atOnce = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Semaphore mirrored = new Semaphore(0);
        restart(builder.threads(4).queue(100).mirror(key -> {
            most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
            mirrored.acquireUninterruptibly();
            atOnce.decrementAndGet();
            return true;
        }));

        for (int i = 0; i < 4; i++) {
            read();
        }

        await().until(() -> counted.notCompared.get() == 3);
        mirrored.release(4);
        await().until(() -> counted.different.get() == 1);
        assertThat(most).hasValue(1);
    }

    @Test
    void aKeyThatHasMovedSinceSaysNothingAboutEitherSide() {
        newer.becomes(new Versioned<>(5, 3));
        restart(builder.queue(100));
        AtomicInteger turn = new AtomicInteger();
        Read<Shelf, Integer> moved = (side, grant) -> {
            if (side == legacy) {
                turn.incrementAndGet();
                throw new OwnerChangedException(
                        grant, new Owned("sku-1", Side.NEW, 2L << 20, null, Duration.ofSeconds(1)));
            }
            return side.available(grant);
        };

        for (int i = 0; i < 50; i++) {
            shadow.offer(GRANT, moved, legacy.state());
        }

        await().until(() -> counted.all() == 50);
        assertThat(counted.notCompared).hasValue(50);
        assertThat(turn).hasValue(50);
        assertThat(shadow.isSuspended()).isFalse();
    }

    @Test
    void onlyTheSampledReadsAreTriedAndEachIsCountedOnce() {
        restart(builder.sample(1_000).queue(10_000));

        for (int i = 0; i < 10_000; i++) {
            read();
        }

        await().until(() -> counted.all() >= 999);
        await().until(() -> counted.all() == newer.reads.get());
        assertThat(counted.all()).isBetween(999, 1_001);
    }

    @Test
    void afterItsEndNothingRunsAndWhatWaitedIsNotCompared() {
        restart(builder.threads(1).queue(10));
        CountDownLatch begun = new CountDownLatch(1);
        AtomicBoolean wasInterrupted = new AtomicBoolean();
        newer.becomes(new Versioned<>(5, 3));
        newer.reads(state -> {
            begun.countDown();
            wasInterrupted.set(awaitUntilInterrupted());
            return state;
        });
        for (int i = 0; i < 5; i++) {
            read();
        }
        awaitUninterruptibly(begun);

        shadow.close();
        shadow.close();

        assertThat(wasInterrupted).isTrue();
        assertThat(counted.notCompared).hasValue(5);
        for (int i = 0; i < 100; i++) {
            assertThat(read()).isEqualTo(7);
        }
        assertThat(counted.all()).isEqualTo(5);
        assertThat(newer.reads).hasValue(1);
        assertThat(shadow.differences().kept()).isEmpty();
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.isAlive() && thread.getName().startsWith("sluice-shadow-read"));
    }

    @Test
    void aReadThatAnswersAlikeWhileItIsEndedIsNotCompared() {
        CountDownLatch begun = new CountDownLatch(1);
        newer.reads(state -> {
            begun.countDown();
            awaitUntilInterrupted();
            return state;
        });
        read();
        awaitUninterruptibly(begun);

        shadow.close();

        assertThat(counted.notCompared).hasValue(1);
        assertThat(counted.same).hasValue(0);
    }

    @Test
    void whatIsAnsweredAfterTheEndIsDropped() {
        restart(builder.timeOut(Duration.ofMillis(50)).threads(1).queue(10));
        CountDownLatch begun = new CountDownLatch(1);
        newer.reads(state -> {
            begun.countDown();
            awaitUninterruptibly(thaw);
            return new Versioned<>(-1, 3);
        });
        read();
        awaitUninterruptibly(begun);

        shadow.close();
        thaw.countDown();

        await().until(() -> counted.all() == 1);
        assertThat(counted.notCompared).hasValue(1);
        assertThat(legacy.reads).as("no second look").hasValue(1);
    }

    @Test
    void theNewestThousandDifferencesAreKeptAndCanBeTakenOut() {
        restart(builder.queue(10_000));
        newer.becomes(new Versioned<>(5, 3));

        for (int i = 0; i < 1_200; i++) {
            read();
        }

        await().until(() -> counted.all() == 1_200);
        assertThat(shadow.differences().found()).isEqualTo(1_200);
        assertThat(shadow.differences().kept())
                .hasSize(1_000)
                .extracting(Difference::id)
                .startsWith(201L)
                .endsWith(1_200L);
        assertThat(shadow.differences().drain(300)).hasSize(300);
        assertThat(shadow.differences().drain(1_000))
                .hasSize(700)
                .extracting(Difference::id)
                .startsWith(501L);
        assertThat(shadow.differences().kept()).isEmpty();
    }

    @Test
    void aLongValueIsShortenedBetweenCharacters() {
        Difference difference =
                new Difference(1, "sku-1", "name", 3, Side.LEGACY, "x".repeat(499) + "😀", "y".repeat(501), NOW);

        assertThat(difference.authorityValue()).isEqualTo("x".repeat(499));
        assertThat(difference.otherValue()).isEqualTo("y".repeat(500));
    }

    @Test
    void everySettingOutOfRangeIsNamedAtOnce() {
        assertThatThrownBy(() -> ShadowReads.builder(legacy, newer)
                        .sample(10_001)
                        .threads(0)
                        .queue(0)
                        .timeOut(Duration.ofMillis(1))
                        .pause(Duration.ofMinutes(11))
                        .start())
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused -> assertThat(refused.problems())
                                .extracting(Object::toString)
                                .containsExactly(
                                        "sample was 10001, but must be within 0..10000, of 10,000 reads",
                                        "threads was 0, but must be within 1..64",
                                        "queue was 0, but must be within 1..10000",
                                        "timeOut was 1ms, but must be within 2ms..10s",
                                        "pause was 11m, but must be within 1ms..10m"));
        ShadowReads.builder(legacy, newer)
                .sample(0)
                .threads(64)
                .queue(10_000)
                .timeOut(Duration.ofSeconds(10))
                .pause(Duration.ofMillis(1))
                .start()
                .close();
    }

    private int read() {
        return router.read("sku-1", Deadline.in(Duration.ofSeconds(30)), AVAILABLE);
    }

    private Router<Shelf> router() {
        return Router.<Shelf>builder()
                .legacy(legacy)
                .newer(newer)
                .plans(new Unchanged(Plan.start("inventory")))
                .secondLook(shadow)
                .build();
    }

    private void restart(ShadowReads.Builder<Shelf> changed) {
        shadow.close();
        shadow = changed.start();
        router = router();
    }

    /** A read that ignores its interrupt. */
    private static void awaitUninterruptibly(CountDownLatch latch) {
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException ignored) {
                // That is the point.
            }
        }
    }

    private static void awaitOrThrow(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }

    private static boolean awaitUntilInterrupted() {
        try {
            new CountDownLatch(1).await();
            return false;
        } catch (InterruptedException asked) {
            // Left behind as a careful read would.
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private record Unchanged(Plan current) implements PlanSource {
        @Override
        public Plan refresh() {
            return current;
        }
    }
}
