package io.sluice.core.observation;

/**
 * All that is counted of one lane. Several threads begin and end requests while one drains.
 *
 * <p>Each request that ended comes out of exactly one drain. What happened to its customer comes out of the same drain or
 * of an earlier one. No request is at once among those that ended and those that are overdue.
 */
final class LaneRecorder {
    private final LaneCounter requests;
    private final CustomerCounter customers = new CustomerCounter();
    private final UnderWay underWay;
    private final long slowerThanNanos;

    LaneRecorder(long slowerThanNanos, long overdueAfterNanos) {
        this.slowerThanNanos = slowerThanNanos;
        this.requests = new LaneCounter(slowerThanNanos);
        this.underWay = new UnderWay(overdueAfterNanos);
    }

    void begin(int second) {
        underWay.begin(second);
    }

    /** Ends a request of a customer who was placed by chance. */
    void end(int second, long customer, long latencyNanos, boolean failed) {
        customers.record(customer, failed, latencyNanos > slowerThanNanos);
        end(second, latencyNanos, failed);
    }

    /** Ends a request without a customer that was placed by chance. */
    void endAnonymous(int second, long latencyNanos, boolean failed) {
        customers.recordAnonymous(failed, latencyNanos > slowerThanNanos);
        end(second, latencyNanos, failed);
    }

    /** Ends a request that says nothing of the customers placed by chance. */
    void end(int second, long latencyNanos, boolean failed) {
        underWay.end(second);
        requests.record(latencyNanos, failed);
    }

    /** Takes out what was counted since the last drain, without those that are under way. */
    LaneTally drain() {
        // The other way round than it is counted, see above.
        Tally ended = requests.drain();
        return new LaneTally(ended, customers.drain(), 0);
    }

    /** Takes out what was counted since the last drain, with those that are overdue by now. */
    LaneTally drain(long now) {
        LaneTally ended = drain();
        return new LaneTally(ended.requests(), ended.customers(), underWay.overdue(now));
    }
}
