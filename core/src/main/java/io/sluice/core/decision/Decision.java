package io.sluice.core.decision;

/**
 * The lane of one request in one release, and why.
 *
 * @param lane the side it belongs to
 * @param bucket the bucket of its key, 0..9999, also where the bucket did not decide
 * @param reason {@code customer_allowlist}, {@code weight}, {@code rule:<name>}, {@code abort:<why>} or
 *     {@code no_identity}
 */
public record Decision(Lane lane, int bucket, String reason) {
    public static final String ALLOWLIST = "customer_allowlist";
    public static final String WEIGHT = "weight";
    public static final String NO_IDENTITY = "no_identity";

    public boolean isCanary() {
        return lane == Lane.CANARY;
    }
}
