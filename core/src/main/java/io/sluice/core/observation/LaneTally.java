package io.sluice.core.observation;

import io.sluice.core.problem.Problems;

/**
 * What one instance saw of one lane in one interval.
 *
 * @param requests every request that ended
 * @param customers those who were placed by chance, and what happened to them
 * @param overdue requests still under way that take longer already than the rules' overdueAfter; a level, not a count
 */
public record LaneTally(Tally requests, CustomerTally customers, long overdue) {
    private static final LaneTally EMPTY = new LaneTally(Tally.empty(), CustomerTally.empty(), 0);

    public LaneTally {
        Problems problems = new Problems();
        problems.require(overdue >= 0, "overdue", overdue, "must not be negative");
        problems.throwIfAny();
    }

    /** Requests alone. */
    public static LaneTally of(Tally requests) {
        return new LaneTally(requests, CustomerTally.empty(), 0);
    }

    public static LaneTally empty() {
        return EMPTY;
    }

    /**
     * The same with levels that so many requests can have brought about. A level that came out of thin air would leave out
     * everybody for the rest of a stage.
     */
    public LaneTally plausible() {
        CustomerSample failed = customers.failed().atMost(levelOf(requests.failed()));
        CustomerSample slow = customers.slow().atMost(levelOf(requests.slow()));
        if (failed == customers.failed() && slow == customers.slow()) {
            return this;
        }
        CustomerTally lowered = new CustomerTally(
                customers.seen(),
                failed,
                slow,
                customers.anonymous(),
                customers.anonymousFailed(),
                customers.anonymousSlow());
        return new LaneTally(requests, lowered, overdue);
    }

    /** A sample of many rises by one level when twice as many customers come; how many of them must have come at least. */
    private static int levelOf(long requests) {
        return Long.SIZE - 1 - Long.numberOfLeadingZeros(Math.max(1, requests));
    }

    public boolean isEmpty() {
        return requests.count() == 0 && customers.isEmpty() && overdue == 0;
    }

    /** @param most how many customers each sample may have */
    public LaneTally merge(LaneTally other, int most) {
        return new LaneTally(
                requests.merge(other.requests),
                customers.merge(other.customers, most),
                Tally.saturatedSum(overdue, other.overdue));
    }
}
