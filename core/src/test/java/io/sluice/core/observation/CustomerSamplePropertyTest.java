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
import net.jqwik.api.constraints.IntRange;

@Requirement("B5")
class CustomerSamplePropertyTest {
    private static final int MOST = 32;

    /** The promise that everything else follows from. */
    @Property
    void exactlyThoseOfItsLevelAreInIt(
            @ForAll("customers") List<Long> customers, @ForAll @IntRange(max = 6) int level) {
        CustomerSample sample = CustomerSample.of(level, MOST, stream(customers));

        assertThat(sample.size()).isLessThanOrEqualTo(MOST);
        assertThat(sample.level()).isGreaterThanOrEqualTo(level);
        assertThat(sample.stream())
                .containsExactly(stream(customers)
                        .filter(hash -> CustomerSample.isIn(hash, sample.level()))
                        .sorted()
                        .distinct()
                        .boxed()
                        .toArray(Long[]::new));
    }

    @Property
    void theLevelIsTheLowestThatHasRoom(@ForAll("customers") List<Long> customers) {
        CustomerSample sample = CustomerSample.of(0, MOST, stream(customers));

        long oneLevelBelow = stream(customers)
                .filter(hash -> sample.level() > 0 && CustomerSample.isIn(hash, sample.level() - 1))
                .distinct()
                .count();
        assertThat(sample.level() == 0 || oneLevelBelow > MOST).isTrue();
    }

    @Property
    void inWhateverOrderSamplesMergeTheyAreTheSampleOfAll(
            @ForAll("customers") List<Long> one,
            @ForAll("customers") List<Long> two,
            @ForAll("customers") List<Long> three) {
        LongStream all = LongStream.concat(stream(one), LongStream.concat(stream(two), stream(three)));
        CustomerSample together = CustomerSample.of(0, MOST, all);

        assertThat(sample(one).merge(sample(two), MOST).merge(sample(three), MOST))
                .isEqualTo(together);
        assertThat(sample(one).merge(sample(three).merge(sample(two), MOST), MOST))
                .isEqualTo(together)
                .hasSameHashCodeAs(together);
        assertThat(sample(one).merge(sample(one), MOST)).isEqualTo(sample(one));
    }

    @Property
    void asTextItReadsBackAsItWas(@ForAll("customers") List<Long> customers) {
        CustomerSample sample = sample(customers);

        assertThat(CustomerSample.parse(sample.level(), sample.text(), MOST)).isEqualTo(sample);
    }

    /** Few bits, so that customers meet, and all levels occur. */
    @Provide
    Arbitrary<List<Long>> customers() {
        Arbitrary<Long> anybody = Arbitraries.longs();
        Arbitrary<Long> few = Arbitraries.longs().between(1, 500);
        return Arbitraries.oneOf(anybody, few).list().ofMaxSize(200);
    }

    private static CustomerSample sample(List<Long> customers) {
        return CustomerSample.of(0, MOST, stream(customers));
    }

    private static LongStream stream(List<Long> customers) {
        return customers.stream().mapToLong(hash -> hash);
    }
}
