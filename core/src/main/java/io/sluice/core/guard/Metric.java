package io.sluice.core.guard;

import io.sluice.core.problem.Problems;
import java.util.regex.Pattern;

/**
 * A number that another system knows. Queries are templates of that system's language; <code>{{lane}}</code>,
 * <code>{{release}}</code>, <code>{{version}}</code> and <code>{{step}}</code> in them are replaced.
 *
 * @param name names it in verdicts, {@code [a-z0-9_-]{1,64}}
 * @param critical whether it counts in the verdict; otherwise it is only shown
 * @param query what is asked
 */
public record Metric(String name, boolean critical, Query query) {
    private static final Pattern NAME = Pattern.compile("[a-z0-9_-]{1,64}");
    private static final int LONGEST_QUERY = 4096;

    public Metric {
        Problems problems = new Problems();
        problems.require(NAME.matcher(name).matches(), "name", name, "must be 1..64 of a-z, 0-9, _ and -");
        problems.throwIfAny();
    }

    /** What is asked of a metric. */
    public sealed interface Query permits Limit, Counters {}

    /**
     * One number that must not be more than a limit; strictly more is a breach.
     *
     * @param query gives the number, for canary where it names the lane
     */
    public record Limit(String query, double max) implements Query {
        public Limit {
            Problems problems = new Problems();
            requireQuery(problems, "query", query);
            problems.require(Double.isFinite(max), "max", max, "must be a number");
            problems.throwIfAny();
        }
    }

    /**
     * Two counters that only ever rise, asked once a lane and held against stable by a {@link Detector}.
     *
     * @param bad counts the bad ones
     * @param total counts all of them
     */
    public record Counters(String bad, String total) implements Query {
        public Counters {
            Problems problems = new Problems();
            for (String query : new String[] {bad, total}) {
                String path = query.equals(bad) ? "bad" : "total";
                requireQuery(problems, path, query);
                problems.require(
                        query.contains("{{lane}}"), path, query, "must have {{lane}}, since both lanes are compared");
            }
            problems.throwIfAny();
        }
    }

    private static void requireQuery(Problems problems, String path, String query) {
        problems.require(
                !query.isBlank() && query.length() <= LONGEST_QUERY,
                path,
                query.length() + " characters",
                "must be a query of 1.." + LONGEST_QUERY + " characters");
    }
}
