package io.sluice.core.guard;

import io.sluice.core.problem.Problems;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A number that another system knows. Queries are templates of that system's language; each of {@link #PLACEHOLDERS}
 * between double braces, like <code>{{lane}}</code>, is replaced.
 *
 * @param name names it in verdicts, {@code [a-z0-9_-]{1,64}}
 * @param critical whether it counts in the verdict; otherwise it is only shown
 * @param query what is asked
 */
public record Metric(String name, boolean critical, Query query) {
    /**
     * {@code services} is a regular expression of their names, and {@code window} the time since the step began, as far as
     * hard limits look back.
     */
    public static final Set<String> PLACEHOLDERS = Set.of("lane", "release", "version", "step", "services", "window");

    private static final Pattern NAME = Pattern.compile("[a-z0-9_-]{1,64}");
    private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{(.*?)(?:}}|$)", Pattern.DOTALL);
    private static final int LONGEST_QUERY = 4096;

    public Metric {
        Problems problems = new Problems();
        problems.require(NAME.matcher(name).matches(), "name", name, "must be 1..64 of a-z, 0-9, _ and -");
        problems.throwIfAny();
    }

    /** Whether it takes part in what alpha is shared by. */
    public boolean isComparedCritically() {
        return critical && query instanceof Counters;
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
        Set<String> unknown = PLACEHOLDER
                .matcher(query)
                .results()
                .filter(found -> !found.group().endsWith("}}") || !PLACEHOLDERS.contains(found.group(1)))
                .map(MatchResult::group)
                .collect(Collectors.toCollection(TreeSet::new));
        unknown.forEach(placeholder -> problems.add(
                path,
                placeholder,
                "must have between double braces only " + String.join(", ", new TreeSet<>(PLACEHOLDERS))));
    }
}
