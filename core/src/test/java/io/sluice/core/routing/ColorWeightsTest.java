package io.sluice.core.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.decision.Percent;
import io.sluice.core.problem.RefusedException;
import io.sluice.testing.Requirement;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ColorWeightsTest {
    private record Case(int percent, int blues, int greens) {
        ColorWeights plan() {
            return ColorWeights.plan(Percent.of(percent), blues, greens);
        }

        /** In points, computed apart from the code under test. */
        double missedBy() {
            ColorWeights weights = plan();
            double blue = (double) blues * weights.blue();
            double green = (double) greens * weights.green();
            return Math.abs(100 * blue / (blue + green) - percent);
        }
    }

    @Requirement("F1")
    @ParameterizedTest(name = "{0} % of {1} blue and {1} green: {2} and {3}")
    @CsvSource({
        "1, 4, 1, 100, 0.99",
        "5, 4, 5, 100, 4.76",
        "10, 4, 11, 100, 9.91",
        "25, 4, 33, 100, 24.81",
        "33, 4, 49, 100, 32.89",
        "49, 4, 96, 100, 48.98",
        "50, 4, 100, 100, 50",
        "51, 4, 100, 96, 51.02",
        "75, 4, 100, 33, 75.19",
        "99, 4, 100, 1, 99.01",
        "50, 1, 100, 100, 50",
        "50, 1000, 100, 100, 50",
        "0.5, 4, 1, 100, 0.99",
        "0.01, 4, 1, 1000, 0.1"
    })
    void asManyOfEitherColorGetThePlainFormula(String asked, int instances, int blue, int green, String achieved) {
        ColorWeights weights = ColorWeights.plan(Percent.parse(asked), instances, instances);

        assertThat(weights).isEqualTo(new ColorWeights(blue, green, Percent.parse(asked), Percent.parse(achieved)));
    }

    @Test
    @Requirement("F1")
    void oneSideStaysAtHundredForEveryPercentOfEqualSides() {
        assertThat(IntStream.rangeClosed(1, 49).mapToObj(percent -> new Case(percent, 6, 6)))
                .allSatisfy(each -> assertThat(each.plan().green()).isEqualTo(100))
                .allSatisfy(each -> assertThat(each.plan().blue())
                        .isEqualTo((int) Math.round(100.0 * each.percent() / (100 - each.percent()))));
        assertThat(IntStream.rangeClosed(51, 99).mapToObj(percent -> new Case(percent, 6, 6)))
                .allSatisfy(each -> assertThat(each.plan().blue()).isEqualTo(100))
                .allSatisfy(each -> assertThat(each.plan().green())
                        .isEqualTo((int) Math.round(100.0 * (100 - each.percent()) / each.percent())));
    }

    @Test
    @Requirement("F1")
    void shareIsWithinHalfAPointForAllNumbersOfInstancesUpToTwelve() {
        Stream<Case> all = IntStream.rangeClosed(1, 12)
                .boxed()
                .flatMap(blues -> IntStream.rangeClosed(1, 12)
                        .boxed()
                        .flatMap(greens ->
                                IntStream.rangeClosed(1, 99).mapToObj(percent -> new Case(percent, blues, greens))));

        assertThat(all)
                .hasSize(12 * 12 * 99)
                .allSatisfy(each -> assertThat(each.missedBy()).isLessThanOrEqualTo(0.5))
                .allSatisfy(each -> assertThat(each.plan().blue()).isPositive())
                .allSatisfy(each -> assertThat(each.plan().green()).isPositive())
                .allSatisfy(each -> assertThat(Math.abs(each.plan().achieved().basisPoints() - 100 * each.percent()))
                        .isLessThanOrEqualTo(50));
    }

    @Test
    void baseIsTheSameThroughAllStagesOfARelease() {
        List<Integer> bases = IntStream.rangeClosed(1, 99)
                .map(percent -> {
                    ColorWeights weights = ColorWeights.plan(Percent.of(percent), 12, 1);
                    return Math.max(weights.blue(), weights.green());
                })
                .distinct()
                .boxed()
                .toList();

        assertThat(bases).containsExactly(10_000);
    }

    @ParameterizedTest(name = "{0} % of {1} and {2}")
    @CsvSource({"50, 2, 4, 1000, 500", "50, 4, 2, 500, 1000", "25, 1, 3, 1000, 1000", "75, 3, 1, 1000, 1000"})
    void differentNumbersOfInstancesAreWeighedOut(int asked, int blues, int greens, int blue, int green) {
        ColorWeights weights = ColorWeights.plan(Percent.of(asked), blues, greens);

        assertThat(weights).isEqualTo(new ColorWeights(blue, green, Percent.of(asked), Percent.of(asked)));
    }

    @Requirement("F2")
    @ParameterizedTest(name = "{0} % of {1} and {2}")
    @CsvSource({"0, 1, 1, 0, 100", "0, 12, 1, 0, 100", "0, 1, 12, 0, 100", "100, 1, 1, 100, 0", "100, 1, 12, 100, 0"})
    void noShareDrains(int asked, int blues, int greens, int blue, int green) {
        ColorWeights weights = ColorWeights.plan(Percent.of(asked), blues, greens);

        assertThat(weights.achieved()).isEqualTo(Percent.of(asked));
        assertThat(weights.green()).isGreaterThanOrEqualTo(green);
        assertThat(Math.signum(weights.blue())).isEqualTo(Math.signum(blue));
        assertThat(Math.signum(weights.green())).isEqualTo(Math.signum(green));
    }

    @Requirement("F2")
    @ParameterizedTest(name = "{0} % with {1} blue and {2} green")
    @CsvSource({"30, 4, 0, 100", "30, 0, 4, 0", "0, 4, 0, 100", "100, 0, 4, 0"})
    void weightsOfTheOnlyColorAreIgnored(int asked, int blues, int greens, int achieved) {
        ColorWeights weights = ColorWeights.plan(Percent.of(asked), blues, greens);

        assertThat(weights).isEqualTo(new ColorWeights(100, 100, Percent.of(asked), Percent.of(achieved)));
    }

    @Test
    void whatCannotBeWeighedOutComesAsCloseAsItCan() {
        ColorWeights weights = ColorWeights.plan(new Percent(1), 1000, 1);

        assertThat(weights).isEqualTo(new ColorWeights(1, 10_000, new Percent(1), new Percent(909)));
        assertThat(ColorWeights.plan(Percent.of(50), Integer.MAX_VALUE, Integer.MAX_VALUE))
                .isEqualTo(new ColorWeights(100, 100, Percent.of(50), Percent.of(50)));
    }

    @Test
    void noInstanceAtAllIsRefused() {
        assertThatThrownBy(() -> ColorWeights.plan(Percent.of(50), 0, 0))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("must be at least one instance of either color");
        assertThatThrownBy(() -> ColorWeights.plan(Percent.of(50), -1, -2))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("blueInstances was -1, but must not be negative")
                .hasMessageContaining("greenInstances was -2, but must not be negative");
    }
}
