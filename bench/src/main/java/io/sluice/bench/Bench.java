package io.sluice.bench;

import io.sluice.bench.moves.MovesBench;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Measures what goes on in each request: the decision, and taking note of how it went.
 *
 * <p>{@code split} or {@code record} measures one of them only. {@code --check} ends with code 1 when a goal is missed.
 * {@code --rounds N} measures longer. {@code delay} is {@link DelayBench}, {@code reach} {@link ReachBench}. {@code migration} measures what a migration adds to a
 * request: which side should own a key, and reads that are tried on the other side as well. {@code moves} is {@link MovesBench}.
 */
public final class Bench {
    private static final int ROUNDS = 400;

    private Bench() {}

    public static void main(String[] arguments) throws Exception {
        List<String> options = List.of(arguments);
        if (options.contains("delay")) {
            DelayBench.main(arguments);
            return;
        }
        if (options.contains("reach")) {
            ReachBench.main(arguments);
            return;
        }
        if (options.contains("moves")) {
            MovesBench.main(arguments);
            return;
        }
        int at = options.indexOf("--rounds");
        int rounds = at < 0 ? ROUNDS : Integer.parseInt(options.get(at + 1));
        List<String> missed = new ArrayList<>();
        if (options.contains("migration")) {
            report(RoutingBench.GOALS, RoutingBench.measure(rounds), missed);
            ShadowBench shadow = ShadowBench.measure(rounds / 4);
            System.out.println(shadow.table());
            shadow.missed().forEach(System.out::println);
            missed.addAll(shadow.missed());
        } else {
            measureCore(options, rounds, missed);
        }
        if (options.contains("--check") && !missed.isEmpty()) {
            System.exit(1);
        }
    }

    private static void measureCore(List<String> options, int rounds, List<String> missed) {
        if (!options.contains("record")) {
            report(SplitBench.GOALS, SplitBench.measure(rounds), missed);
        }
        if (!options.contains("split")) {
            report(RecordBench.GOALS, RecordBench.measure(rounds), missed);
        }
    }

    private static void report(Goals goals, Map<String, Paired.Cost> costs, List<String> missed) {
        List<String> here = goals.missed(costs);
        System.out.println(goals.table(costs));
        here.forEach(System.out::println);
        missed.addAll(here);
    }
}
