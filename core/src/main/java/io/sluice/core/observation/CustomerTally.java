package io.sluice.core.observation;

import io.sluice.core.problem.Problems;

/**
 * What happened to the customers that a split has placed by chance, which is what a comparison of two lanes may count.
 * Immutable; tallies of several instances and ticks merge.
 *
 * <p>Customers on the allowlist are not in it. At an edge each request without a customer counts for itself.
 *
 * @param seen how many different customers
 * @param failed who of them had a request that failed
 * @param slow who of them had a request that took longer than the limit the rules gave
 * @param anonymous requests without a customer
 * @param anonymousFailed how many of those failed
 * @param anonymousSlow how many of those took longer
 */
public record CustomerTally(
        CustomerSketch seen,
        CustomerSample failed,
        CustomerSample slow,
        long anonymous,
        long anonymousFailed,
        long anonymousSlow) {
    private static final CustomerTally EMPTY =
            new CustomerTally(CustomerSketch.empty(), CustomerSample.empty(), CustomerSample.empty(), 0, 0, 0);

    /** @throws io.sluice.core.problem.RefusedException when the numbers contradict each other */
    public CustomerTally {
        Problems problems = new Problems();
        problems.require(anonymous >= 0, "anonymous", anonymous, "must not be negative");
        problems.require(
                anonymousFailed >= 0 && anonymousFailed <= anonymous,
                "anonymousFailed",
                anonymousFailed,
                "must be within 0..anonymous");
        problems.require(
                anonymousSlow >= 0 && anonymousSlow <= anonymous,
                "anonymousSlow",
                anonymousSlow,
                "must be within 0..anonymous");
        problems.throwIfAny();
    }

    public static CustomerTally empty() {
        return EMPTY;
    }

    public boolean isEmpty() {
        return anonymous == 0 && seen.isEmpty() && failed.isEmpty() && slow.isEmpty();
    }

    /** Customers, estimated, and requests without one. */
    public long units() {
        return Tally.saturatedSum(seen.estimate(), anonymous);
    }

    /** @param most how many customers each sample may have */
    public CustomerTally merge(CustomerTally other, int most) {
        return new CustomerTally(
                seen.merge(other.seen),
                failed.merge(other.failed, most),
                slow.merge(other.slow, most),
                Tally.saturatedSum(anonymous, other.anonymous),
                Tally.saturatedSum(anonymousFailed, other.anonymousFailed),
                Tally.saturatedSum(anonymousSlow, other.anonymousSlow));
    }
}
