package io.sluice.core.guard;

/**
 * One comparison as it stands.
 *
 * @param metric what is compared
 * @param detector the evidence
 * @param counts everybody since the stage began
 */
public record Comparison(Compared metric, Detector detector, Tick counts) {
    /** One that begins. */
    public static Comparison start(Compared metric, long horizon) {
        return new Comparison(metric, Detector.start(horizon), Tick.NOTHING);
    }

    /** After one more tick. */
    public Comparison after(Tick tick) {
        return new Comparison(metric, detector.after(tick), counts.plus(tick));
    }
}
