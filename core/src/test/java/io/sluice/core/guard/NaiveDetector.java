package io.sluice.core.guard;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;

/** The detector as its formula is written, in decimals of 50 digits and without logarithms. */
final class NaiveDetector {
    private static final MathContext DIGITS = new MathContext(50);
    private static final List<String> RATIOS = List.of("1.5", "2", "3", "5", "10", "20");

    private NaiveDetector() {}

    static double evidence(long horizon, List<Tick> ticks) {
        List<BigDecimal> all = new ArrayList<>();
        for (String ratio : RATIOS) {
            all.add(r(new BigDecimal(ratio), horizon, ticks));
        }
        BigDecimal sum = all.stream().reduce(BigDecimal.ZERO, BigDecimal::add);
        return sum.divide(BigDecimal.valueOf(12 * horizon), DIGITS).doubleValue();
    }

    private static BigDecimal r(BigDecimal ratio, long horizon, List<Tick> ticks) {
        BigDecimal result = BigDecimal.valueOf(horizon);
        long half = horizon / 2;
        for (int t = 0; t < ticks.size(); t++) {
            Tick tick = ticks.get(t);
            BigDecimal fading = BigDecimal.valueOf(half).divide(BigDecimal.valueOf(t + 1), DIGITS);
            BigDecimal renewal = t < half ? BigDecimal.ONE : fading.multiply(fading);
            BigDecimal w = tick.canary() == 0
                    ? BigDecimal.ZERO
                    : BigDecimal.valueOf(tick.canary())
                            .divide(BigDecimal.valueOf(tick.canary() + tick.stable()), DIGITS);
            BigDecimal expected = ratio.subtract(BigDecimal.ONE).multiply(w).add(BigDecimal.ONE);
            BigDecimal likelihood = ratio.pow((int) tick.canaryBad(), DIGITS)
                    .divide(expected.pow((int) (tick.canaryBad() + tick.stableBad()), DIGITS), DIGITS);
            result = result.add(renewal).multiply(likelihood, DIGITS);
        }
        return result;
    }
}
