package io.sluice.core.guard;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * Whether canary is worse than stable: evidence that may be looked at after every tick, as long as one likes. Immutable.
 *
 * <p>For each of six ratios r, one tick multiplies by
 * {@code L_r = r^canaryBad / (1 + w (r - 1))^(canaryBad + stableBad)}, w being canary's share of that tick. If canary is
 * no worse, the expectation of L_r is at most 1, whatever the rate of bad ones is and however it changes; so
 * {@code R_r <- (R_r + g_t) L_r}, started at {@code R_r = N} with renewals g_t of N in all, stays in expectation under 2N
 * for ever, and the chance that the mean of the six ever reaches 2N / alpha is at most alpha. A renewal is what sees a
 * canary that breaks late: it is 1 for the first N / 2 ticks and (N / 2t)^2 after them, so that a stage which lasts longer
 * than was meant is never blind, only a little slower. The form is the Shiryaev-Roberts e-detector of Shin, Ramdas and
 * Rinaldo (arXiv 2203.03532) with a head start of N; the proof is in {@code docs/guard.md}.
 */
public final class Detector {
    /** How many times worse a canary is taken to be, one after the other. */
    static final List<Double> RATIOS = List.of(1.5, 2.0, 3.0, 5.0, 10.0, 20.0);

    // Logarithms, since R grows by many orders of magnitude in one bad tick.
    private final double[] logs;
    private final long horizon;
    private final long ticks;

    private Detector(double[] logs, long horizon, long ticks) {
        this.logs = logs;
        this.horizon = horizon;
        this.ticks = ticks;
    }

    /** A new one. @param horizon N, the ticks it is meant to last, at least 1; it may well last longer */
    public static Detector start(long horizon) {
        if (horizon < 1) {
            throw new IllegalArgumentException("horizon was " + horizon + ", but must be at least 1");
        }
        double[] logs = new double[RATIOS.size()];
        Arrays.fill(logs, Math.log(horizon));
        return new Detector(logs, horizon, 0);
    }

    /** One that was saved as {@link #logs}, {@link #horizon} and {@link #ticks}. */
    public static Detector restore(List<Double> logs, long horizon, long ticks) {
        if (logs.size() != RATIOS.size() || !logs.stream().allMatch(Double::isFinite) || horizon < 1 || ticks < 0) {
            throw new IllegalArgumentException(
                    "not a saved detector: logs " + logs + ", horizon " + horizon + ", ticks " + ticks);
        }
        return new Detector(logs.stream().mapToDouble(each -> each).toArray(), horizon, ticks);
    }

    /** After one more tick. A tick in which only one lane was there, or nothing bad happened, is no evidence for harm. */
    public Detector after(Tick tick) {
        double w = tick.share();
        double renewal = renewal();
        double[] next = new double[logs.length];
        for (int i = 0; i < next.length; i++) {
            double r = RATIOS.get(i);
            double factor = tick.canaryBad() * Math.log(r)
                    - Math.log1p(w * (r - 1)) * ((double) tick.canaryBad() + tick.stableBad());
            next[i] = logOfSum(logs[i], renewal) + factor;
        }
        return new Detector(next, horizon, ticks + 1);
    }

    /**
     * The evidence so far, as odds: 0.5 at the start, and for a canary that is no worse it reaches 1 / alpha at any time
     * with a chance of at most alpha. May be infinite.
     */
    public double evidence() {
        double largest = Collections.max(logs());
        double sum = 0;
        for (double log : logs) {
            sum += Math.exp(log - largest);
        }
        return Math.exp(largest + Math.log(sum / logs.length) - Math.log(2.0 * horizon));
    }

    /** Whether canary is worse, at a chance of a false alarm of at most alpha in all the time that this is asked. */
    public boolean isWorse(double alpha) {
        return evidence() >= 1 / alpha;
    }

    /** ln R for each ratio. */
    public List<Double> logs() {
        List<Double> all = new ArrayList<>();
        for (double log : logs) {
            all.add(log);
        }
        return all;
    }

    /** N. */
    public long horizon() {
        return horizon;
    }

    /** How many ticks it has taken. */
    public long ticks() {
        return ticks;
    }

    /** What the next tick adds, 0..1. All there ever are sum to at most N: h, and h^2 (1/(h+1)^2 + ...) which is under h. */
    private double renewal() {
        long half = horizon / 2;
        double fading = half / (ticks + 1.0);
        return ticks < half ? 1 : fading * fading;
    }

    /** ln(e^log + more), without leaving the range of a double. */
    private static double logOfSum(double log, double more) {
        if (more == 0) {
            return log;
        }
        return log > 0 ? log + Math.log1p(more * Math.exp(-log)) : Math.log(more + Math.exp(log));
    }
}
