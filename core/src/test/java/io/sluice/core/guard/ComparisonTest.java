package io.sluice.core.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Requirement;
import org.junit.jupiter.api.Test;

@Requirement({"B3", "B6"})
class ComparisonTest {
    private static final Tick HEALTHY = new Tick(1_000, 5, 9_000, 90);
    private static final Tick BROKEN = new Tick(50, 10, 450, 2);

    /** In the whole stage canary has fewer bad ones than stable; what the alarm is about says otherwise. */
    @Test
    void theNumbersOfALateAlarmAreThoseThatAccuse() {
        Comparison comparison = Comparison.start(Compared.ERRORS, 200);
        for (int i = 0; i < 100; i++) {
            comparison = comparison.after(HEALTHY);
        }
        assertThat(comparison.rising()).isEqualTo(Tick.NOTHING);

        comparison = comparison.after(BROKEN).after(BROKEN).after(BROKEN);

        assertThat(comparison.isWorse(0.0005)).isTrue();
        assertThat(comparison.counts()).isEqualTo(new Tick(100_150, 530, 901_350, 9_006));
        assertThat(comparison.rising()).isEqualTo(new Tick(150, 30, 1_350, 6));
        assertThat(Finding.of("order", "errors", true, comparison, 0.0005).reason())
                .startsWith("errors x45.0 of stable, evidence ")
                .endsWith(" >= 2000 (canary 30/150, stable 6/1350)");
    }

    /** Of two ticks each of which accuses canary, the sum may acquit it; then there is nothing that could be said. */
    @Test
    void evidenceThatItsOwnNumbersContradictIsNoAlarm() {
        Comparison comparison =
                new Comparison(Compared.ERRORS, accusing(), new Tick(900, 9, 100, 2), new Tick(900, 9, 100, 2));

        assertThat(comparison.detector().isWorse(0.01)).isTrue();
        assertThat(comparison.isWorse(0.01)).isFalse();
    }

    @Test
    void ofARestoredComparisonTheNextTickAccusesOnceMore() {
        Comparison restored = new Comparison(Compared.ERRORS, accusing(), new Tick(1_000, 30, 9_000, 500));

        assertThat(restored.isWorse(0.01)).isFalse();
        assertThat(restored.after(BROKEN).isWorse(0.01)).isTrue();
    }

    @Test
    void aSampleIsShownAsWhatItStandsFor() {
        Comparison comparison =
                Comparison.start(Compared.ERRORS, 200).after(new Tick(100, 10, 100, 0), new Tick(100, 20, 100, 0));

        assertThat(comparison.counts().canaryBad()).isEqualTo(20);
        assertThat(comparison.detector().evidence())
                .isEqualTo(Detector.start(200).after(new Tick(100, 10, 100, 0)).evidence());
    }

    private static Detector accusing() {
        return Detector.start(200).after(new Tick(50, 30, 450, 2));
    }
}
