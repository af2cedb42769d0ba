package io.sluice.bench;

import io.sluice.bench.Goals.Goal;
import io.sluice.core.decision.KeyBucket;
import io.sluice.migration.plan.Plan;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What it costs to ask a plan which side should own a key, in units of the bare hash. */
final class RoutingBench {
    private static final int KEYS = 1 << 10;
    private static final int MASK = KEYS - 1;

    private static final String HASH = "bucket of a key";
    private static final String WITHOUT_LISTS = "wanted side, without lists";
    private static final String WITH_LIST = "wanted side, 100 keys on the list";

    static final Goals GOALS = new Goals(List.of(new Goal(WITHOUT_LISTS, HASH, 2, 0), new Goal(WITH_LIST, HASH, 2, 0)));

    private final String[] keys = IntStream.range(0, KEYS)
            .mapToObj(i -> String.format(Locale.ROOT, "sku-%05d", i))
            .toArray(String[]::new);
    private final Plan withoutLists = new Plan("inventory", 1, 50, Set.of(), Set.of());
    private final Plan withList = new Plan("inventory", 1, 50, everyTenth(), Set.of());

    /** Measures in so many rounds. */
    static Map<String, Paired.Cost> measure(int rounds) {
        RoutingBench bench = new RoutingBench();
        Paired paired = new Paired();
        paired.add(HASH, bench::bucket);
        paired.add(WITHOUT_LISTS, operations -> bench.wanted(bench.withoutLists, operations));
        paired.add(WITH_LIST, operations -> bench.wanted(bench.withList, operations));
        return paired.measure(rounds);
    }

    private Set<String> everyTenth() {
        return IntStream.range(0, 100).mapToObj(i -> keys[i * 10]).collect(Collectors.toSet());
    }

    private int bucket(int operations) {
        int sum = 0;
        for (int n = 0; n < operations; n++) {
            sum += KeyBucket.of(keys[n & MASK]);
        }
        return sum;
    }

    private int wanted(Plan plan, int operations) {
        int sum = 0;
        for (int n = 0; n < operations; n++) {
            sum += plan.wanted(keys[n & MASK]).ordinal();
        }
        return sum;
    }
}
