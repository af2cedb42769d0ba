package io.sluice.migration.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.sluice.core.problem.RefusedException;
import io.sluice.testing.Requirement;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlanTest {
    private static final List<String> SKUS = IntStream.range(0, 1_000)
            .mapToObj(i -> String.format("sku-%03d", i))
            .toList();

    @Requirement("I1")
    @Test
    void atHalfTheNewSideShouldOwnAsManyOfAThousandAsPublished() {
        assertThat(wantedNew(percent(50))).hasSize(498);
    }

    @Requirement("I1")
    @ParameterizedTest(name = "{0}")
    @CsvSource({"sku-1, 80", "sku-42, 15", "sku-000, 59", "sku-999, 50"})
    void aKeyGoesWithThePercentAboveItsBucket(String key, int bucket) {
        assertThat(percent(bucket).wanted(key)).isEqualTo(Side.LEGACY);
        assertThat(percent(bucket + 1).wanted(key)).isEqualTo(Side.NEW);
    }

    @Requirement("I1")
    @Test
    void noPercentIsAllLegacyAndAHundredAllNew() {
        assertThat(wantedNew(percent(0))).isEmpty();
        assertThat(wantedNew(percent(100))).hasSize(1_000);
        assertThat(wantedNew(percent(1))).hasSizeBetween(1, 30);
        assertThat(wantedNew(percent(99))).hasSizeBetween(970, 999);
    }

    @Requirement("I1")
    @ParameterizedTest(name = "at {0} %")
    @ValueSource(ints = {0, 50, 100})
    void anEmptyKeyIsLegacys(int percent) {
        assertThat(percent(percent).wanted("")).isEqualTo(Side.LEGACY);
    }

    @Requirement("I8")
    @Test
    void aKeyOnTheListGoesFirst() {
        Plan plan = new Plan("inventory", 1, 0, Set.of("sku-1", "商品-1"), Set.of());

        assertThat(plan.wanted("sku-1")).isEqualTo(Side.NEW);
        assertThat(plan.wanted("商品-1")).isEqualTo(Side.NEW);
        assertThat(plan.wanted("sku-2")).isEqualTo(Side.LEGACY);
        assertThat(plan.withPercent(50).wanted("sku-1")).isEqualTo(Side.NEW);
    }

    @Requirement("I8")
    @Test
    void aHeldBackKeyThatThePercentageReachesIsRefusedWithBothRulesNamed() {
        Plan below = new Plan("inventory", 1, 80, Set.of(), Set.of("sku-1"));

        assertThat(below.wanted("sku-1")).isEqualTo(Side.LEGACY);
        refused(() -> below.withPercent(81))
                .containsExactly("heldBack was sku-1 (bucket 80), but must not hold a key that newPercent 81 sends to"
                        + " new: take it off the list, or stay at 80 percent or less");
    }

    @Requirement("I8")
    @Test
    void aKeyOnBothListsIsRefusedWithBothRulesNamed() {
        refused(() -> new Plan("inventory", 1, 0, Set.of("sku-1", "sku-2"), Set.of("sku-1", "sku-3")))
                .containsExactly("heldBack was sku-1, but must not hold a key that alsoNew sends to new");
    }

    @Test
    void aKeyThatAListNamesTwiceIsRefused() {
        refused(() -> Plan.of("inventory", 1, 0, List.of("sku-1", "sku-2", "sku-1"), List.of("sku-3", "sku-3")))
                .containsExactly(
                        "alsoNew was sku-1, but must be named once", "heldBack was sku-3, but must be named once");
    }

    @Test
    void everyProblemOfAPlanIsNamedAtOnce() {
        refused(() -> Plan.of("Inventory!", 0, 101, List.of("a", "a", "b", ""), List.of("b", "x\n", "sku-1")))
                .containsExactlyInAnyOrder(
                        "alsoNew was a, but must be named once",
                        "migration was Inventory!, but must have 1..63 of a-z 0-9 -, starting with a letter",
                        "revision was 0, but must be within 1..4398046511104",
                        "newPercent was 101, but must be a whole number within 0..100",
                        "alsoNew.key was empty, but must have 1..255 characters, none of them a control character",
                        "heldBack.key was x\\u000a, but must have 1..255 characters, none of them a control character",
                        "heldBack was b, but must not hold a key that alsoNew sends to new");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(ints = {-1, 101, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void aPercentageOutOfRangeIsRefused(int percent) {
        refused(() -> percent(percent))
                .containsExactly("newPercent was " + percent + ", but must be a whole number within 0..100");
    }

    @ParameterizedTest(name = "[{0}]")
    @ValueSource(strings = {"", "1a", "-a", "A", "a_b", "a b", "ä"})
    void anyOtherNameIsRefused(String name) {
        refused(() -> Plan.start(name)).singleElement().asString().startsWith("migration was ");
    }

    @Test
    void aNameHasOneTo63Characters() {
        assertThat(Plan.start("a").migration()).isEqualTo("a");
        assertThat(Plan.start("a".repeat(63)).migration()).hasSize(63);
        refused(() -> Plan.start("a".repeat(64))).hasSize(1);
    }

    @Test
    void aListNamesAtMostTenThousandKeys() {
        Set<String> most = IntStream.range(0, 10_000).mapToObj(i -> "k" + i).collect(Collectors.toSet());

        assertThat(new Plan("inventory", 1, 0, most, Set.of()).alsoNew()).hasSize(10_000);
        Set<String> more = new TreeSet<>(most);
        more.add("one more");
        refused(() -> new Plan("inventory", 1, 0, more, Set.of()))
                .containsExactly("alsoNew was 10001 keys, but must name at most 10000");
        refused(() -> new Plan("inventory", 1, 0, Set.of(), more))
                .containsExactly("heldBack was 10001 keys, but must name at most 10000");
    }

    @Requirement("I7")
    @Test
    void eachRevisionHasItsOwnEpochsWithRoomForAMillionMoves() {
        Plan first = Plan.start("inventory");
        Plan second = first.withPercent(10);

        assertThat(second.revision()).isEqualTo(2);
        assertThat(second.epoch() - first.epoch()).isGreaterThan(1_000_000);
        assertThat(Plan.revisionOf(first.epoch())).isEqualTo(1);
        assertThat(Plan.revisionOf(second.epoch() - 1)).isEqualTo(1);
        assertThat(Plan.revisionOf(second.epoch())).isEqualTo(2);
        assertThat(Plan.revisionOf(0)).isZero();
    }

    @Test
    void theLastRevisionStillHasAnEpoch() {
        Plan last = new Plan("inventory", 1L << 42, 0, Set.of(), Set.of());

        assertThat(Plan.revisionOf(last.epoch())).isEqualTo(1L << 42);
        assertThat(last.epoch()).isPositive().isLessThan(Long.MAX_VALUE);
        refused(() -> last.withPercent(1))
                .containsExactly("revision was 4398046511105, but must be within 1..4398046511104");
    }

    @Test
    void askingAllocatesNothing() {
        Plan plan = new Plan("inventory", 1, 50, Set.of("sku-001", "sku-003"), Set.of());
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        int asNew = askedNew(plan);

        long before = threads.getCurrentThreadAllocatedBytes();
        asNew += askedNew(plan);

        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(10_000);
        assertThat(asNew).isPositive();
    }

    private static int askedNew(Plan plan) {
        int asNew = 0;
        for (int i = 0; i < 100_000; i++) {
            asNew += plan.wanted(SKUS.get(i % 1_000)).ordinal();
        }
        return asNew;
    }

    private static Plan percent(int percent) {
        return new Plan("inventory", 1, percent, Set.of(), Set.of());
    }

    private static Set<String> wantedNew(Plan plan) {
        return SKUS.stream().filter(key -> plan.wanted(key) == Side.NEW).collect(Collectors.toSet());
    }

    private static org.assertj.core.api.ListAssert<String> refused(ThrowingCallable what) {
        AbstractThrowableAssert<?, ?> thrown = assertThatThrownBy(what).isInstanceOf(RefusedException.class);
        RefusedException refused = (RefusedException) thrown.actual();
        return assertThat(refused.problems().stream().map(Object::toString).toList());
    }
}
