package io.sluice.demo.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FaultTest {

    @ParameterizedTest
    @CsvSource({"errors=0%, 0", "errors=0.01%, 1", "errors=6%, 600", "errors=12.5%, 1250", "errors=100%, 10000"})
    void exactlyTheAskedShareOfRequestsFails(String text, int failuresIn10000) {
        var fault = Fault.parse(text);

        var failures = IntStream.range(0, 10_000).filter(i -> fault.fails()).count();

        assertThat(failures).isEqualTo(failuresIn10000);
    }

    @ParameterizedTest
    @CsvSource({"slow=500ms, 500", "slow=2s, 2000", "'', 0", "errors=6%, 0"})
    void everyRequestWaitsAsLongAsAsked(String text, long millis) {
        assertThat(Fault.parse(text).delay()).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @ValueSource(strings = {"errors", "errors=6", "errors=101%", "errors=-1%", "slow=fast", "slow=500", "none"})
    void anythingElseIsRefused(String text) {
        assertThatThrownBy(() -> Fault.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'");
    }

    @Test
    void withoutFaultNothingFails() {
        assertThat(Fault.none().fails()).isFalse();
    }
}
