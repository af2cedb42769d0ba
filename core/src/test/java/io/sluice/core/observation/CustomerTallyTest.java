package io.sluice.core.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.core.problem.Problem;
import io.sluice.core.problem.RefusedException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CustomerTallyTest {
    private static final CustomerSample NOBODY = CustomerSample.empty();

    @ParameterizedTest(name = "{0} anonymous, {1} failed, {2} slow: {3}")
    @CsvSource({
        "-1, 0, 0, anonymous was -1",
        "5, 6, 0, anonymousFailed was 6",
        "5, -1, 0, anonymousFailed was -1",
        "5, 0, 6, anonymousSlow was 6",
        "5, 0, -1, anonymousSlow was -1"
    })
    void numbersThatContradictEachOtherAreRefused(long anonymous, long failed, long slow, String message) {
        assertThatThrownBy(() -> tally(anonymous, failed, slow)).hasMessageContaining(message);
    }

    @Test
    void allContradictionsAreNamed() {
        assertThat(catchThrowableOfType(RefusedException.class, () -> tally(0, 1, 1))
                        .problems())
                .extracting(Problem::path)
                .containsExactly("anonymousFailed", "anonymousSlow");
        assertThatThrownBy(() -> new LaneTally(Tally.empty(), CustomerTally.empty(), -1))
                .hasMessageContaining("overdue was -1, but must not be negative");
    }

    @Test
    void customersAndRequestsWithoutOneAreUnits() {
        CustomerTally tally =
                new CustomerTally(SampleCustomers.sketch(SampleCustomers.hashes(0, 10)), NOBODY, NOBODY, 5, 0, 0);

        assertThat(tally.units()).isEqualTo(15);
        assertThat(tally.merge(tally, 256).units()).isEqualTo(20);
        assertThat(tally(Long.MAX_VALUE, 0, 0).merge(tally, 256).units()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void anythingToSayIsNotEmpty() {
        CustomerSample somebody = CustomerSample.of(0, 1, LongStream.of(7));

        assertThat(CustomerTally.empty().isEmpty()).isTrue();
        assertThat(tally(1, 0, 0).isEmpty()).isFalse();
        assertThat(new CustomerTally(CustomerSketch.empty(), somebody, NOBODY, 0, 0, 0).isEmpty())
                .isFalse();
        assertThat(new CustomerTally(CustomerSketch.empty(), NOBODY, somebody, 0, 0, 0).isEmpty())
                .isFalse();
        assertThat(LaneTally.empty().isEmpty()).isTrue();
        assertThat(new LaneTally(Tally.empty(), CustomerTally.empty(), 1).isEmpty())
                .isFalse();
        assertThat(new LaneTally(Tally.empty(), tally(1, 1, 0), 0).isEmpty()).isFalse();
    }

    private static CustomerTally tally(long anonymous, long failed, long slow) {
        return new CustomerTally(CustomerSketch.empty(), NOBODY, NOBODY, anonymous, failed, slow);
    }
}
