package io.sluice.core.rule;

import static io.sluice.core.tag.Color.BLUE;
import static io.sluice.core.tag.Color.GREEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.decision.Lane;
import io.sluice.core.decision.Percent;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.tag.Color;
import io.sluice.testing.Requirement;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FlowTest {
    private static final int MANY = 100_000;

    @Requirement({"E7", "A6"})
    @Test
    void largerShareOnlyAddsCustomers() {
        Set<Integer> before = Set.of();
        for (int percent : new int[] {0, 1, 5, 25, 50, 99, 100}) {
            Set<Integer> now = blueOf(at(Percent.of(percent)));

            assertThat(now).as("%d %%", percent).containsAll(before);
            before = now;
        }
        assertThat(before).hasSize(10_000);
    }

    @Requirement("E7")
    @Test
    void customerHasTheSameColorAtEveryEntry() {
        Flow one = at(Percent.of(50));
        Flow other = at(Percent.of(50));

        assertThat(IntStream.range(0, 10_000).mapToObj(String::valueOf))
                .allSatisfy(customer -> assertThat(one.enter(customer)).isEqualTo(other.enter(customer)));
    }

    @Requirement("E7")
    @Test
    void anotherReleaseHasOtherFirstCustomers() {
        Set<Integer> both = blueOf(SampleChannel.flow("r1", Percent.of(10), null));
        both.retainAll(blueOf(SampleChannel.flow("r2", Percent.of(10), null)));

        // A tenth of a tenth of ten thousand; six standard deviations to each side.
        assertThat(both).hasSizeBetween(40, 160);
    }

    @Requirement("E7")
    @ParameterizedTest(name = "{0} %")
    @ValueSource(ints = {1, 5, 25, 50, 75, 99})
    void requestWithoutCustomerFollowsTheShareByChance(int percent) {
        Flow flow = at(Percent.of(percent));

        long blue = IntStream.range(0, MANY).filter(i -> flow.enter("") == BLUE).count();

        double share = percent / 100.0;
        double deviation = Math.sqrt(MANY * share * (1 - share));
        assertThat((double) blue).isBetween(MANY * share - 6 * deviation, MANY * share + 6 * deviation);
    }

    @Requirement("F2")
    @Test
    void drainedColorGetsNobody() {
        Flow allGreen = at(Percent.ZERO);
        Flow allBlue = at(Percent.HUNDRED);

        assertThat(IntStream.range(0, MANY).mapToObj(i -> allGreen.enter(i % 2 == 0 ? "" : "c" + i)))
                .containsOnly(GREEN);
        assertThat(IntStream.range(0, MANY).mapToObj(i -> allBlue.enter(i % 2 == 0 ? "" : "c" + i)))
                .containsOnly(BLUE);
        assertThat(allGreen.isDrained(BLUE)).isTrue();
        assertThat(allGreen.isDrained(GREEN)).isFalse();
        assertThat(allBlue.isDrained(GREEN)).isTrue();
    }

    @Requirement("F65")
    @Test
    void bothSidesCanNeverBeDrained() {
        assertThat(IntStream.rangeClosed(0, 10_000).mapToObj(basisPoints -> at(new Percent(basisPoints))))
                .noneMatch(flow -> flow.isDrained(BLUE) && flow.isDrained(GREEN))
                .allMatch(flow ->
                        flow.shareOf(BLUE).basisPoints() + flow.shareOf(GREEN).basisPoints() == 10_000);
    }

    @Test
    void onlyASideWithoutAShareIsClosed() {
        assertThat(SampleChannel.flow("r", Percent.ZERO, BLUE).closed()).isEqualTo(BLUE);
        assertThat(SampleChannel.flow("r", Percent.HUNDRED, GREEN).closed()).isEqualTo(GREEN);
        assertThatThrownBy(() -> SampleChannel.flow("r", Percent.of(1), BLUE))
                .isInstanceOf(RefusedException.class)
                .hasMessage("closed was blue, but must be a side without a share, and has 1%");
        assertThatThrownBy(() -> SampleChannel.flow("r", Percent.ZERO, GREEN))
                .isInstanceOf(RefusedException.class)
                .hasMessage("closed was green, but must be a side without a share, and has 100%");
    }

    @Test
    void admittedSideIsCountedAsCanary() {
        Flow flow = at(Percent.of(50));

        assertThat(flow.laneOf(BLUE)).isEqualTo(Lane.CANARY);
        assertThat(flow.laneOf(GREEN)).isEqualTo(Lane.STABLE);
    }

    @Test
    void everyProblemIsNamed() {
        assertThatThrownBy(() -> new Flow(
                        "R", "stable", BLUE, Percent.of(50), Color.GREEN, -1, Duration.ZERO, Duration.ofMillis(-1)))
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused -> assertThat(refused.problems())
                                .extracting(problem -> problem.path())
                                .containsExactly("release", "version", "closed", "step", "slowerThan", "overdueAfter"));
    }

    private static Set<Integer> blueOf(Flow flow) {
        Set<Integer> blue = new TreeSet<>();
        IntStream.range(0, 10_000)
                .filter(customer -> flow.enter(String.valueOf(customer)) == BLUE)
                .forEach(blue::add);
        return blue;
    }

    private static Flow at(Percent blue) {
        return SampleChannel.flow("r1", blue, null);
    }
}
