package io.sluice.core.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.testing.Requirement;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

@Requirement("B6")
class DetectorPropertyTest {
    @Property(tries = 500)
    void theLogarithmsComeToWhatTheFormulaSays(
            @ForAll @LongRange(min = 1, max = 60) long horizon, @ForAll("ticks") @Size(max = 60) List<Tick> ticks) {
        double evidence = after(horizon, ticks).evidence();

        double expected = NaiveDetector.evidence(horizon, ticks);
        assertThat(evidence).isCloseTo(expected, within(expected * 1e-9));
    }

    @Property(tries = 500)
    void oneMoreBadOneOnCanaryIsMoreEvidence(
            @ForAll("ticks") @Size(max = 20) List<Tick> before, @ForAll("ticks") @Size(1) List<Tick> last) {
        Tick tick = last.get(0);
        Tick more = new Tick(tick.canary() + 1, tick.canaryBad(), tick.stable() + 1, tick.stableBad());
        Tick worse = new Tick(more.canary(), more.canaryBad() + 1, more.stable(), more.stableBad());

        Detector detector = after(100, before);

        assertThat(detector.after(worse).evidence())
                .isGreaterThan(detector.after(more).evidence());
    }

    @Property(tries = 500)
    void noNumberIsTooLarge(@ForAll("hugeTicks") @Size(max = 300) List<Tick> ticks) {
        Detector detector = after(3, ticks);

        assertThat(detector.evidence()).isGreaterThanOrEqualTo(0).isNotNaN();
        assertThat(detector.logs()).allMatch(Double::isFinite);
    }

    @Property(tries = 200)
    void whatWasSavedGoesOnExactly(
            @ForAll("ticks") @Size(max = 20) List<Tick> before, @ForAll("ticks") @Size(max = 20) List<Tick> later) {
        Detector detector = after(15, before);
        Detector restored = Detector.restore(detector.logs(), detector.horizon(), detector.ticks());

        for (Tick tick : later) {
            detector = detector.after(tick);
            restored = restored.after(tick);
        }

        assertThat(restored.logs()).isEqualTo(detector.logs());
    }

    @Provide
    Arbitrary<List<Tick>> ticks() {
        return ticksOfAtMost(200).list();
    }

    @Provide
    Arbitrary<List<Tick>> hugeTicks() {
        return ticksOfAtMost(1_000_000_000_000L).list();
    }

    private static Arbitrary<Tick> ticksOfAtMost(long most) {
        Arbitrary<Long> counts = Arbitraries.longs().between(0, most);
        Arbitrary<Double> shares = Arbitraries.of(0.0, 0.01, 0.1, 1.0);
        return Combinators.combine(counts, shares, counts, shares)
                .as((canary, bad, stable, stableBad) ->
                        new Tick(canary, (long) (canary * bad), stable, (long) (stable * stableBad)));
    }

    private static Detector after(long horizon, List<Tick> ticks) {
        Detector detector = Detector.start(horizon);
        for (Tick tick : ticks) {
            detector = detector.after(tick);
        }
        return detector;
    }
}
