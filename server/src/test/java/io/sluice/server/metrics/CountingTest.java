package io.sluice.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.guard.Tick;
import io.sluice.server.metrics.Counting.Reading;
import io.sluice.testing.Requirement;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CountingTest {
    private static final Reading FIRST = new Reading(1_000, 500, 10_000, 0);

    private final Counting start = Counting.start(FIRST, 200);

    @Test
    void theFirstReadingIsNoEvidenceWhateverItHas() {
        assertThat(start.trouble()).isEqualTo("the first reading");
        assertThat(start.counts()).isEqualTo(Tick.NOTHING);
        assertThat(start.detector().ticks()).isZero();
    }

    @Test
    void aTickCountsWhenTheNextOneIsThere() {
        Counting one = start.after(reading(10, 1, 100, 1));

        assertThat(one.counts()).isEqualTo(Tick.NOTHING);
        assertThat(one.after(reading(20, 2, 200, 2)).counts()).isEqualTo(new Tick(10, 1, 100, 1));
    }

    @Test
    void nothingNewChangesNothing() {
        Counting one = start.after(reading(10, 1, 100, 1));

        assertThat(one.after(reading(10, 1, 100, 1))).isEqualTo(one);
        assertThat(one.after(reading(20, 2, 100, 1))).isEqualTo(one);
        assertThat(one.after(reading(10, 1, 200, 2))).isEqualTo(one);
    }

    @ParameterizedTest
    @CsvSource({
        "9,0,100,0,canary's total fell from 1010 to 1009",
        "11,-1,101,0,canary's bad fell from 500 to 499",
        "11,0,99,0,stable's total fell from 10100 to 10099",
        "11,0,101,-1,stable's bad fell from 0 to -1"
    })
    @Requirement("F26")
    void aCounterThatFallsIsANewStartingPoint(long canary, long canaryBad, long stable, long stableBad, String said) {
        Counting reset = start.after(reading(10, 0, 100, 0)).after(reading(canary, canaryBad, stable, stableBad));

        assertThat(reset.trouble()).isEqualTo("counter reset: " + said);
        assertThat(reset.base()).isEqualTo(reading(canary, canaryBad, stable, stableBad));
        assertThat(reset.pending()).isEqualTo(Tick.NOTHING);
        assertThat(reset.counts()).isEqualTo(Tick.NOTHING);
    }

    @Test
    void anInstanceThatWasMissedForAMomentBringsNoPastWithIt() {
        Counting counting = ticks(start, 3);
        Reading whole = counting.base();

        Counting missed = counting.after(new Reading(0, 0, whole.stable(), whole.stableBad()));
        Counting back = missed.after(
                new Reading(whole.canary() + 10, whole.canaryBad(), whole.stable() + 100, whole.stableBad()));

        assertThat(back.trouble()).contains("6 readings until it counts again");
        assertThat(back.base().canary()).isEqualTo(whole.canary() + 10);
        assertThat(ticks(back, 20).counts().canaryBad()).isLessThan(100);
        assertThat(ticks(back, 20).trouble()).isEmpty();
    }

    @Test
    void moreBadThanAllIsNoEvidence() {
        Counting canary = start.after(reading(5, 6, 100, 0));
        Counting stable = start.after(reading(5, 0, 0, 1));

        assertThat(canary.trouble()).isEqualTo("canary's bad rose by 6, its total by 5");
        assertThat(stable.trouble()).isEqualTo("stable's bad rose by 1, its total by 0");
        assertThat(ticks(canary, 3).trouble()).isEmpty();
    }

    @Test
    @Requirement("B6")
    void aCanaryThatIsWorseIsFound() {
        Counting counting = start;
        for (int i = 1; i <= 10; i++) {
            counting = counting.after(reading(100L * i, 10L * i, 900L * i, 9L * i));
        }

        assertThat(counting.isWorse(60 / 0.01)).isTrue();
    }

    @Test
    @Requirement("B3")
    void anAccusationIsMadeOfTheNumbersSinceTheEvidenceRose() {
        Counting counting = start;
        long canaryBad = 0;
        long stableBad = 0;
        for (int i = 1; i <= 40; i++) {
            // An outage of stable first, then a canary that is worse: of all together, stable looks worse.
            canaryBad += i <= 20 ? 1 : 12;
            stableBad += i <= 20 ? 450 : 9;
            counting = counting.after(reading(100L * i, canaryBad, 900L * i, stableBad));
        }

        assertThat(counting.isWorse(2000)).isTrue();
        assertThat(counting.counts().canaryRate()).isLessThan(counting.counts().stableRate());
        assertThat(counting.rising().canaryRate())
                .isGreaterThan(counting.rising().stableRate());
    }

    @Test
    @Requirement("B6")
    void aFaultOfBothLanesThatIsSeenOnCanaryFirstIsNoEvidenceAgainstIt() {
        Counting counting = start;
        double most = 0;
        Random random = new Random(7);
        long canaryBad = 0;
        long stableBad = 0;
        for (int i = 1; i <= 400; i++) {
            // Ten minutes in thirty are bad, and stable is looked at a whole tick later.
            canaryBad += failures(random, 1000, i / 10 % 3 == 2 ? 0.2 : 0.005);
            stableBad += failures(random, 9000, (i - 1) / 10 % 3 == 2 ? 0.2 : 0.005);
            counting = counting.after(reading(1000L * i, canaryBad, 9000L * i, stableBad));
            most = Math.max(most, counting.detector().evidence());
        }

        assertThat(most).isLessThan(100);
    }

    private static long failures(Random random, int requests, double rate) {
        return random.doubles(requests).filter(each -> each < rate).count();
    }

    private static Counting ticks(Counting from, int ticks) {
        Counting counting = from;
        for (int i = 1; i <= ticks; i++) {
            Reading base = counting.base();
            counting = counting.after(
                    new Reading(base.canary() + 10, base.canaryBad() + 1, base.stable() + 100, base.stableBad() + 10));
        }
        return counting;
    }

    private static Reading reading(long canary, long canaryBad, long stable, long stableBad) {
        return new Reading(
                FIRST.canary() + canary,
                FIRST.canaryBad() + canaryBad,
                FIRST.stable() + stable,
                FIRST.stableBad() + stableBad);
    }
}
