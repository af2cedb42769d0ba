package io.sluice.core.observation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Requirement;
import java.util.List;
import java.util.stream.LongStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

@Requirement("B5")
class CustomerSketchPropertyTest {
    @Property(tries = 200)
    void mergingIsCountingTogether(@ForAll("customers") List<Long> here, @ForAll("customers") List<Long> there) {
        LongStream together = LongStream.concat(stream(here), stream(there));

        assertThat(sketch(here).merge(sketch(there))).isEqualTo(SampleCustomers.sketch(together));
        assertThat(sketch(there).merge(sketch(here))).isEqualTo(sketch(here).merge(sketch(there)));
    }

    @Property(tries = 200)
    void whoWasSeenTwiceCountsOnce(@ForAll("customers") List<Long> customers) {
        CustomerSketch once = sketch(customers);

        assertThat(once.merge(once)).isEqualTo(once).hasSameHashCodeAs(once);
        assertThat(once.merge(CustomerSketch.empty())).isEqualTo(once);
    }

    @Property(tries = 200)
    void asTextItReadsBackAsItWas(@ForAll("customers") List<Long> customers) {
        CustomerSketch sketch = sketch(customers);

        assertThat(CustomerSketch.parse(sketch.text())).isEqualTo(sketch);
    }

    @Provide
    Arbitrary<List<Long>> customers() {
        return Arbitraries.longs().list().ofMaxSize(3_000);
    }

    private static CustomerSketch sketch(List<Long> customers) {
        return SampleCustomers.sketch(stream(customers));
    }

    private static LongStream stream(List<Long> customers) {
        return customers.stream().mapToLong(hash -> hash);
    }
}
