package io.sluice.bench;

import io.sluice.bench.Goals.Goal;
import io.sluice.core.decision.BucketHash;
import io.sluice.core.decision.Bucketing;
import io.sluice.core.decision.Percent;
import io.sluice.core.decision.Weighted;
import io.sluice.core.guard.ErrorRate;
import io.sluice.core.guard.Guard;
import io.sluice.core.guard.Thresholds;
import io.sluice.core.observation.LaneCounter;
import io.sluice.core.observation.ObservationRecorder;
import io.sluice.core.observation.Tally;
import io.sluice.core.observation.Vantage;
import io.sluice.core.rule.InMemoryRuleSource;
import io.sluice.core.rule.ReleaseRule;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.tag.Assignment;
import io.sluice.core.tag.TrafficTag;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;

/** What it costs to take note of a request, in units of the one atomic step that it needs, and to judge what was noted. */
final class RecordBench {
    private static final int KEYS = 1 << 10;
    private static final int MASK = KEYS - 1;
    private static final int MILLION = 1_000_000;
    private static final int SPELL = 1 << 16;
    private static final Duration LIMIT = Duration.ofMillis(300);

    private static final String INCREMENT = "bare increment";
    private static final String RECORD = "record";
    private static final String REQUEST = "begin and end";
    private static final String FAILED = "begin and end, all failed";
    private static final String ONE_THREAD = "65,536 requests, one thread";
    private static final String TWO_THREADS = "65,536 requests, two threads";
    private static final String TWO_APART = "the same, a recorder each";
    private static final String FEW = "verdict on 1,000";
    private static final String SAME = "verdict on the same, 1,000 times";
    private static final String MANY = "verdict on 1,000,000";
    private static final String SORTED = "sorting 1,000,000";

    static final Goals GOALS = new Goals(List.of(
            new Goal(RECORD, INCREMENT, 1.3, 0),
            new Goal(REQUEST, INCREMENT, 20, 24),
            new Goal(SAME, FEW, 1.5, 1_000),
            new Goal(MANY, FEW, 1.5, 1_000),
            new Goal(MANY, SORTED, 0.001, 1_000)));

    private final AtomicLongArray cells = new AtomicLongArray(704 * 4);
    private final int[] cellOf = new int[KEYS];
    private final long[] latencies = new long[KEYS];
    private final boolean[] failed = new boolean[KEYS];
    private final TrafficTag[] tags = new TrafficTag[KEYS];

    private final LaneCounter counter = new LaneCounter(LIMIT.toNanos());
    private final ObservationRecorder recorder = recorder();
    private final ObservationRecorder failing = recorder();
    private final ObservationRecorder other = recorder();
    private final Guard guard =
            new Guard(new Thresholds(100, ErrorRate.parse("2%"), LIMIT, Thresholds.DEFAULT_SILENCE));
    private final Random random = new Random(1);

    private RecordBench() {
        for (int i = 0; i < KEYS; i++) {
            latencies[i] = latency();
            failed[i] = random.nextInt(200) == 0;
            // As many different cells, and as far apart, as latencies of this kind have.
            cellOf[i] = 4 * (int) (32 * Math.log(latencies[i] / 1e3) / Math.log(2)) % cells.length();
            List<Assignment> lanes = i % 10 == 0 ? List.of(new Assignment("r1", "v2")) : List.of();
            tags[i] = new TrafficTag(String.format(Locale.ROOT, "c-%07d", i), "", lanes);
        }
    }

    /** Measures in so many rounds. */
    static Map<String, Paired.Cost> measure(int rounds) {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            RecordBench bench = new RecordBench();
            Paired paired = new Paired();
            bench.addTo(paired);
            Map<String, Paired.Cost> costs = paired.measure(rounds);
            List<ObservationRecorder> one = List.of(bench.recorder);
            List<ObservationRecorder> shared = List.of(bench.recorder, bench.recorder);
            List<ObservationRecorder> apart = List.of(bench.recorder, bench.other);
            costs.put(ONE_THREAD, Paired.alone(operations -> bench.spell(one, threads), rounds));
            costs.put(TWO_THREADS, Paired.alone(operations -> bench.spell(shared, threads), rounds));
            costs.put(TWO_APART, Paired.alone(operations -> bench.spell(apart, threads), rounds));
            costs.put(SORTED, Paired.alone(bench.sorting(), 5));
            return costs;
        } finally {
            threads.shutdownNow();
        }
    }

    private void addTo(Paired paired) {
        paired.add(INCREMENT, this::increment);
        paired.add(RECORD, this::record);
        paired.add(REQUEST, operations -> requests(recorder, operations, false));
        paired.add(FAILED, operations -> requests(failing, operations, true));
        Tally few = tally(1_000);
        Tally same = IntStream.range(0, 1_000).mapToObj(time -> few).reduce(Tally.empty(), Tally::merge);
        Tally many = tally(MILLION);
        paired.add(FEW, operations -> judge(few, operations));
        paired.add(SAME, operations -> judge(same, operations));
        paired.add(MANY, operations -> judge(many, operations));
    }

    private int increment(int operations) {
        for (int n = 0; n < operations; n++) {
            cells.incrementAndGet(cellOf[n & MASK]);
        }
        return operations;
    }

    private int record(int operations) {
        for (int n = 0; n < operations; n++) {
            counter.record(latencies[n & MASK], failed[n & MASK]);
        }
        return operations;
    }

    private int requests(ObservationRecorder recorder, int operations, boolean allFail) {
        for (int n = 0; n < operations; n++) {
            recorder.begin(tags[n & MASK]).end(latencies[n & MASK], allFail || failed[n & MASK]);
        }
        return operations;
    }

    /** So many requests, shared out over a thread for each recorder. */
    private int spell(List<ObservationRecorder> recorders, ExecutorService threads) {
        int each = SPELL / recorders.size();
        List<Future<Integer>> parts = new ArrayList<>();
        recorders.forEach(recorder -> parts.add(threads.submit(() -> requests(recorder, each, false))));
        return parts.stream().mapToInt(RecordBench::join).sum();
    }

    private int judge(Tally tally, int operations) {
        int letters = 0;
        for (int n = 0; n < operations; n++) {
            letters += guard.judge(tally, Duration.ZERO).reason().length();
        }
        return letters;
    }

    /** What a guard that keeps every request does at each look, at its kindest: numbers, not objects. */
    private Paired.Candidate sorting() {
        long[] all = random.longs(MILLION).map(any -> latency()).toArray();
        return operations -> {
            long[] sorted = all.clone();
            Arrays.sort(sorted);
            return (int) sorted[MILLION / 100 * 99 - 1];
        };
    }

    private Tally tally(int requests) {
        LaneCounter counted = new LaneCounter(LIMIT.toNanos());
        for (int i = 0; i < requests; i++) {
            counted.record(latency(), random.nextInt(200) == 0);
        }
        return counted.drain();
    }

    /** Around 20 ms, with a tail: one in a hundred takes longer than 64 ms. */
    private long latency() {
        return (long) (20e6 * Math.exp(0.5 * random.nextGaussian()));
    }

    private static ObservationRecorder recorder() {
        ReleaseRule release = new ReleaseRule(
                "r1",
                "v2",
                List.of("order"),
                new Weighted(Bucketing.of(BucketHash.FNV1A_MIXED, "r1"), Percent.of(10), Set.of("vip-1")),
                List.of(),
                1,
                LIMIT);
        InMemoryRuleSource rules = new InMemoryRuleSource();
        rules.offer(RuleSet.of(0, 1, List.of(release)));
        return new ObservationRecorder(new Vantage.Edge("gateway"), rules);
    }

    private static int join(Future<Integer> part) {
        try {
            return part.get();
        } catch (InterruptedException | ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
