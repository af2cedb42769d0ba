package io.sluice.migration.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SampleTest {
    private static final int READS = 1_000_000;

    @ParameterizedTest(name = "{0} of 10,000")
    @ValueSource(ints = {0, 1, 50, 100, 3_333, 5_000, 9_999, 10_000})
    void theShareIsMetWithinAFew(int basisPoints) {
        Sample sample = new Sample(basisPoints);

        long taken = IntStream.range(0, READS).filter(i -> sample.takesNext()).count();

        assertThat(taken).isBetween(basisPoints * 100L - 5, basisPoints * 100L + 5);
        assertThat(basisPoints == 0 && taken > 0).isFalse();
        assertThat(basisPoints == 10_000 && taken < READS).isFalse();
    }

    @ParameterizedTest(name = "traffic that repeats after {0}")
    @ValueSource(ints = {2, 3, 10, 100})
    void everyKindOfReadOfTrafficThatRepeatsItselfGetsItsShare(int period) {
        Sample sample = new Sample(100);
        int[] taken = new int[period];

        for (int i = 0; i < READS; i++) {
            if (sample.takesNext()) {
                taken[i % period]++;
            }
        }

        int expected = READS / 100 / period;
        assertThat(IntStream.of(taken).boxed())
                .allSatisfy(each -> assertThat(each).isBetween(expected - 10, expected + 10));
    }

    @Test
    void aReadThatIsNotSampledAllocatesNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Sample sample = new Sample(0);
        threads.getCurrentThreadAllocatedBytes();
        boolean any = sample.takesNext();

        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 100_000; i++) {
            any |= sample.takesNext();
        }

        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(10_000);
        assertThat(any).isFalse();
    }
}
