package io.sluice.core.observation;

import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Customers for tests, by the product's own hash. */
public final class SampleCustomers {
    private SampleCustomers() {}

    /** The hashes of {@code c-from .. c-(to - 1)}. */
    public static LongStream hashes(int from, int to) {
        return IntStream.range(from, to).mapToLong(i -> CustomerHash.of("c-" + i));
    }

    /** Who had nothing but good requests. */
    public static CustomerSketch sketch(LongStream customers) {
        CustomerCounter counter = new CustomerCounter();
        customers.forEach(customer -> counter.record(customer, false, false));
        return counter.drain().seen();
    }
}
