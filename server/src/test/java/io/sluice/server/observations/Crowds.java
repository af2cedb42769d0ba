package io.sluice.server.observations;

import io.sluice.core.observation.CustomerSample;
import io.sluice.core.observation.CustomerSketch;
import io.sluice.core.observation.CustomerTally;
import io.sluice.core.observation.LaneTally;
import io.sluice.core.observation.Tally;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;

/** What an instance tells of many customers, as a process would count it. */
final class Crowds {
    private Crowds() {}

    /** One request of each customer; the first so many of them failed. */
    static LaneTally of(long[] customers, int failed) {
        long count = customers.length;
        LongStream bad = LongStream.of(customers).limit(failed);
        CustomerTally tally =
                new CustomerTally(sketch(customers), CustomerSample.of(0, 256, bad), CustomerSample.empty(), 0, 0, 0);
        return new LaneTally(requests(count, Math.min(failed, count), 300), tally, 0);
    }

    /** Customers of a number, always the same. */
    static long[] customers(long seed, int count) {
        return new SplittableRandom(seed).longs(count).toArray();
    }

    static Tally requests(long count, long failed, int bucket) {
        return count == 0 ? Tally.empty() : new Tally(count, failed, 0, new TreeMap<>(Map.of(bucket, count)));
    }

    private static CustomerSketch sketch(long[] customers) {
        Map<Integer, Integer> ranks = new TreeMap<>();
        for (long customer : customers) {
            int rank = Math.min(Long.numberOfLeadingZeros(customer << 10) + 1, 55);
            ranks.merge((int) (customer >>> 54), rank, Math::max);
        }
        ByteBuffer text = ByteBuffer.allocate(ranks.size() * Short.BYTES);
        ranks.forEach((register, rank) -> text.putShort((short) (register << 6 | rank)));
        return CustomerSketch.parse(Base64.getEncoder().withoutPadding().encodeToString(text.array()));
    }
}
