package io.sluice.core.guard;

/**
 * Who came, since the stage began: what the sample ratio is tested with.
 *
 * @param canary customers placed by chance, and requests without a customer, on canary; customers within 3.25 %
 * @param stable likewise on stable
 * @param requests all requests, of whomever
 */
public record Crowd(long canary, long stable, long requests) {
    public static final Crowd NOBODY = new Crowd(0, 0, 0);
}
