package io.sluice.wire;

import io.sluice.core.observation.LaneTally;
import io.sluice.core.observation.ObservationKey;
import io.sluice.core.problem.Problems;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.rule.Names;
import io.sluice.core.tag.TrafficTag;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What one instance counted in one interval. Instance, run and sequence identify it, so that a batch that is sent again,
 * because its answer was lost, counts once.
 *
 * @param instance the instance, like {@code order@127.0.0.1:8081}
 * @param service under which name it reports
 * @param version its version, {@code stable} or that of a canary
 * @param sequence counts the batches of a run
 * @param run a random number of the process's run, 0..2<sup>53</sup>-1
 * @param entries one a release, step and lane of which there is something to tell, if only that a request is overdue
 */
public record ObservationBatch(
        String instance, String service, String version, long sequence, long run, List<Entry> entries) {
    private static final Pattern INSTANCE = Pattern.compile("[\\x21-\\x7e]{1,256}");

    /** @throws RefusedException with every problem of the parts together */
    public ObservationBatch {
        Problems problems = new Problems();
        problems.part("instance", () -> requireInstance(instance));
        problems.part("service", () -> Names.requireService(service));
        problems.part("version", () -> requireVersion(version));
        problems.require(isWhole(sequence), "sequence", sequence, "must be within 0.." + Fields.LARGEST_WHOLE);
        problems.require(isWhole(run), "run", run, "must be within 0.." + Fields.LARGEST_WHOLE);
        problems.throwIfAny();
        entries = List.copyOf(entries);
    }

    /** How one lane of one release's step went. */
    public record Entry(ObservationKey key, LaneTally tally) {}

    /** How many requests it tells of; overdue ones have not ended, and are not among them. */
    public long requests() {
        return entries.stream()
                .mapToLong(entry -> entry.tally().requests().count())
                .sum();
    }

    static String requireInstance(String instance) {
        if (!INSTANCE.matcher(instance).matches()) {
            throw new RefusedException(
                    "",
                    instance.isEmpty() ? "empty" : instance,
                    "must have 1..256 printable ASCII characters, no space");
        }
        return instance;
    }

    static String requireVersion(String version) {
        return version.equals(TrafficTag.STABLE_VERSION) ? version : Names.requireVersion(version);
    }

    private static boolean isWhole(long number) {
        return number >= 0 && number <= Fields.LARGEST_WHOLE;
    }
}
