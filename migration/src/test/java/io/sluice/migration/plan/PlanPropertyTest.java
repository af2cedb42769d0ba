package io.sluice.migration.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.decision.KeyBucket;
import io.sluice.testing.Requirement;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

class PlanPropertyTest {
    @Requirement("I1")
    @Property
    void raisingThePercentOnlyAddsKeys(
            @ForAll("keys") String key, @ForAll @IntRange(max = 100) int one, @ForAll @IntRange(max = 100) int other) {
        Side atLess = percent(Math.min(one, other)).wanted(key);
        Side atMore = percent(Math.max(one, other)).wanted(key);

        assertThat(atMore).isGreaterThanOrEqualTo(atLess);
    }

    @Requirement("I1")
    @Property
    void twoProcessesWithThePlanGiveOneAnswerAndItIsTheBuckets(
            @ForAll("keys") String key, @ForAll @IntRange(max = 100) int percent) {
        Side here = percent(percent).wanted(key);
        Side there = percent(percent).wanted(new String(key.toCharArray()));

        assertThat(here).isEqualTo(there).isEqualTo(KeyBucket.of(key) < percent ? Side.NEW : Side.LEGACY);
    }

    @Requirement("I8")
    @Property
    void aHeldBackKeyIsNeverTakenAlong(@ForAll("keys") String key, @ForAll @IntRange(max = 100) int percent) {
        int reached = KeyBucket.of(key);

        if (percent <= reached) {
            assertThat(new Plan("m", 1, percent, Set.of(), Set.of(key)).wanted(key))
                    .isEqualTo(Side.LEGACY);
        } else {
            assertThat(org.assertj.core.api.Assertions.catchThrowable(
                            () -> new Plan("m", 1, percent, Set.of(), Set.of(key))))
                    .hasMessageContainingAll("heldBack", "newPercent " + percent);
        }
    }

    @Provide
    Arbitrary<String> keys() {
        return Arbitraries.oneOf(
                Arbitraries.strings().withCharRange('!', '~').ofMinLength(1).ofMaxLength(40),
                Arbitraries.strings().withCharRange('一', '龥').ofMinLength(1).ofMaxLength(20),
                Arbitraries.integers()
                        .between(0x1F600, 0x1F64F)
                        .list()
                        .ofMinSize(1)
                        .ofMaxSize(10)
                        .map(points -> points.stream().map(Character::toString).reduce("", String::concat)));
    }

    private static Plan percent(int percent) {
        return new Plan("m", 1, percent, Set.of(), Set.of());
    }
}
