package io.sluice.core.guard;

import io.sluice.core.problem.RefusedException;

/**
 * The chance that a release whose canary is no worse than stable is taken back all the same.
 *
 * @param ppm in millionths, 1..500000
 */
public record Alpha(int ppm) {
    /** One release in a hundred. */
    public static final Alpha DEFAULT = new Alpha(10_000);

    private static final String ALLOWED = "must be within 0.000001..0.5, like 0.01 or 1%, at most six decimals";

    public Alpha {
        if (ppm < 1 || ppm > 500_000) {
            throw new RefusedException("alpha", ppm + " ppm", ALLOWED);
        }
    }

    /**
     * Reads a share ({@code 0.01}) or a percentage ({@code 1%}).
     *
     * @throws RefusedException for anything else
     */
    public static Alpha parse(String text) {
        int ppm = Millionths.parse(text);
        if (ppm < 1 || ppm > 500_000) {
            throw new RefusedException("alpha", text.isEmpty() ? "empty" : text, ALLOWED);
        }
        return new Alpha(ppm);
    }

    /** What each of so many tests may spend, so that all together spend this. */
    public double share(int tests) {
        return ppm / 1e6 / tests;
    }

    /** As a fraction: {@code 0.01}. */
    public String fraction() {
        return Millionths.fraction(ppm);
    }

    @Override
    public String toString() {
        return Millionths.percentage(ppm);
    }
}
