package io.sluice.core.guard;

import io.sluice.core.problem.RefusedException;

/**
 * A share of failed requests in millionths, so that limits compare exactly.
 *
 * @param ppm failed requests in a million, 0..1000000
 */
public record ErrorRate(int ppm) {
    private static final String ALLOWED = "must be a share like 0.02 or 2%, within 0..1, at most six decimals";

    public ErrorRate {
        if (ppm < 0 || ppm > 1_000_000) {
            throw new RefusedException("maxErrorRate", ppm + " ppm", ALLOWED);
        }
    }

    /**
     * Reads a share ({@code 0.02}) or a percentage ({@code 2%}).
     *
     * @throws RefusedException for anything else
     */
    public static ErrorRate parse(String text) {
        int ppm = Millionths.parse(text);
        if (ppm >= 0) {
            return new ErrorRate(ppm);
        }
        throw new RefusedException("maxErrorRate", text.isEmpty() ? "empty" : text, ALLOWED);
    }

    /** Whether so many failures are strictly more than this share allows. Exact for all numbers there are. */
    public boolean isExceededBy(long failed, long count) {
        // The products are compared in 128 bits, since they leave 64 from 9 * 10^12 requests on.
        long failedHigh = Math.multiplyHigh(failed, 1_000_000);
        long allowedHigh = Math.multiplyHigh(count, ppm);
        return failedHigh == allowedHigh
                ? Long.compareUnsigned(failed * 1_000_000, count * ppm) > 0
                : failedHigh > allowedHigh;
    }

    /** As a fraction: {@code 0.02}. */
    public String fraction() {
        return Millionths.fraction(ppm);
    }

    @Override
    public String toString() {
        return Millionths.percentage(ppm);
    }
}
