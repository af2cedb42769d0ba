package io.sluice.core.guard;

/**
 * One comparison as it stands.
 *
 * @param metric what is compared
 * @param detector the evidence
 * @param counts everybody since the stage began; who comes in several ticks is counted in each
 * @param rising those of them since the evidence rose above 1, which is what an alarm is about
 */
public record Comparison(Compared metric, Detector detector, Tick counts, Tick rising) {
    /** One of which the numbers behind its evidence are not known: they begin with the next tick. */
    public Comparison(Compared metric, Detector detector, Tick counts) {
        this(metric, detector, counts, Tick.NOTHING);
    }

    /** One that begins. */
    public static Comparison start(Compared metric, long horizon) {
        return new Comparison(metric, Detector.start(horizon), Tick.NOTHING);
    }

    /** After one more tick. */
    public Comparison after(Tick tick) {
        return after(tick, tick);
    }

    /** After one more tick, of which the detector takes a sample. @param shown what the sample stands for */
    Comparison after(Tick sample, Tick shown) {
        Detector next = detector.after(sample);
        return new Comparison(
                metric, next, counts.plus(shown), next.evidence() <= 1 ? Tick.NOTHING : rising.plus(shown));
    }

    /** Whether canary is worse: the evidence says so, and so do the numbers that it comes from. */
    public boolean isWorse(double alpha) {
        return detector.isWorse(alpha) && rising.canaryRate() > rising.stableRate();
    }
}
