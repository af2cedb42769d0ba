package io.sluice.core.guard;

/** What is compared between canary and stable. */
public enum Compared {
    /** Customers with a failed request, each counted once a stage. */
    ERRORS("errors", false),
    /** Customers with a request slower than the P99 limit, each counted once a stage. */
    SLOW("slow", false),
    /** Requests slower than stable's median so far. */
    SLOWER_P50("slower_p50", true),
    /** Requests slower than stable's P90 so far. */
    SLOWER_P90("slower_p90", true),
    /** Requests slower than stable's P99 so far. */
    SLOWER_P99("slower_p99", true);

    private final String label;
    private final boolean countsRequests;

    Compared(String label, boolean countsRequests) {
        this.label = label;
        this.countsRequests = countsRequests;
    }

    /** The word for it in files, verdicts and reports. */
    public String label() {
        return label;
    }

    /** Whether it counts requests, so that one customer's many requests count as many; otherwise customers. */
    public boolean countsRequests() {
        return countsRequests;
    }
}
