package io.sluice.core.observation;

import java.time.Duration;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;

/** Reports about one lane, for tests: each customer has one request. */
public final class SampleLane {
    /** What takes longer is slow. */
    public static final Duration LIMIT = Duration.ofMillis(300);

    private SampleLane() {}

    /** The customers from..to-1, nobody slow. */
    public static LaneTally of(long from, long to, LongPredicate failed) {
        return of(from, to, failed, customer -> false);
    }

    /** The customers from..to-1. */
    public static LaneTally of(long from, long to, LongPredicate failed, LongPredicate slow) {
        LaneCounter requests = new LaneCounter(LIMIT.toNanos());
        LongStream.range(from, to)
                .forEach(customer -> requests.record(
                        Duration.ofMillis(slow.test(customer) ? 400 : 10).toNanos(), failed.test(customer)));
        CustomerTally customers = new CustomerTally(
                sketch(LongStream.range(from, to)),
                sample(LongStream.range(from, to).filter(failed)),
                sample(LongStream.range(from, to).filter(slow)),
                0,
                0,
                0);
        return new LaneTally(requests.drain(), customers, 0);
    }

    /** Requests without a customer. */
    public static LaneTally anonymous(long count, long failed) {
        CustomerTally customers = new CustomerTally(
                CustomerSketch.empty(), CustomerSample.empty(), CustomerSample.empty(), count, failed, 0);
        return new LaneTally(SampleTally.of(count, failed, Duration.ofMillis(10), LIMIT), customers, 0);
    }

    /** Nothing but requests under way. */
    public static LaneTally overdue(long requests) {
        return new LaneTally(Tally.empty(), CustomerTally.empty(), requests);
    }

    private static CustomerSketch sketch(LongStream customers) {
        byte[] ranks = new byte[CustomerSketch.REGISTERS];
        customers.map(SampleLane::hash).forEach(hash -> {
            int register = CustomerSketch.register(hash);
            ranks[register] = (byte) Math.max(ranks[register], CustomerSketch.rank(hash));
        });
        return new CustomerSketch(ranks);
    }

    private static CustomerSample sample(LongStream customers) {
        return CustomerSample.of(0, Integer.MAX_VALUE, customers.map(SampleLane::hash));
    }

    /** Murmur3's finaliser: as good as chance for numbers that follow each other. */
    private static long hash(long customer) {
        long h = customer + 0x9e3779b97f4a7c15L;
        h = (h ^ h >>> 33) * 0xff51afd7ed558ccdL;
        h = (h ^ h >>> 33) * 0xc4ceb9fe1a85ec53L;
        return h ^ h >>> 33;
    }
}
