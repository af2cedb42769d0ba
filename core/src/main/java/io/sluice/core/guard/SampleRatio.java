package io.sluice.core.guard;

import io.sluice.core.decision.Percent;

/**
 * Whether canary gets the share of the customers that was asked for. May be looked at all the time.
 *
 * <p>The evidence against the asked share p is a uniform mixture over all shares, divided by the best that any share
 * within {@value #TOLERANCE} of p and of 1 - p (relative) can do: {@code B(c + 1, s + 1) / max_q q^c (1 - q)^s}, c and s being canary's
 * and stable's customers. With customers placed by chance it reaches 1 / alpha at any time with a chance of at most
 * alpha (Ville's inequality on the mixture's likelihood ratio; Lindon and Malek, arXiv 2011.03567). The tolerance has
 * room for the error of the counts, 3.25 % of each lane.
 */
public final class SampleRatio {
    /** How far from the asked share is no mismatch, relative to it and to the rest. */
    public static final double TOLERANCE = 0.25;

    private static final long MANY_REQUESTS = 1_000;
    private static final long FEW_CUSTOMERS = 10;

    private SampleRatio() {}

    /** The evidence that the share is another one, as odds. 0 where every share would be right: at 0 % and 100 %. */
    public static double evidence(Percent asked, Crowd crowd) {
        if (asked.isAllOrNothing()) {
            return 0;
        }
        double p = asked.basisPoints() / 10_000.0;
        double c = crowd.canary();
        double s = crowd.stable();
        if (c + s == 0) {
            return 0;
        }
        double low = Math.max(p * (1 - TOLERANCE), 1 - (1 - p) * (1 + TOLERANCE));
        double high = Math.min(p * (1 + TOLERANCE), 1 - (1 - p) * (1 - TOLERANCE));
        double q = Math.min(Math.max(c / (c + s), low), high);
        double mixture = logGamma(c + 1) + logGamma(s + 1) - logGamma(c + s + 2);
        return Math.exp(mixture - c * Math.log(q) - s * Math.log1p(-q));
    }

    /** Whether the share is another one than asked, at a chance of a false alarm of at most alpha. */
    public static boolean isMismatch(Percent asked, Crowd crowd, double alpha) {
        return evidence(asked, crowd) >= 1 / alpha;
    }

    /** Whether so many requests come from so few customers that it must be the identity which is wrong. */
    public static boolean isConstantKey(Crowd crowd) {
        long customers = crowd.canary() + crowd.stable();
        // None at all is a process that does not tell of customers yet.
        return customers > 0 && customers < FEW_CUSTOMERS && crowd.requests() >= MANY_REQUESTS;
    }

    /** ln Gamma for x of at least 1, by Stirling's series from 10 on: absolute error below 1e-10. */
    static double logGamma(double x) {
        double shift = 0;
        double z = x;
        while (z < 10) {
            shift += Math.log(z);
            z++;
        }
        double inverse = 1 / z;
        double square = inverse * inverse;
        double series = inverse * (1 / 12.0 - square * (1 / 360.0 - square * (1 / 1260.0 - square / 1680.0)));
        return (z - 0.5) * Math.log(z) - z + 0.5 * Math.log(2 * Math.PI) + series - shift;
    }
}
