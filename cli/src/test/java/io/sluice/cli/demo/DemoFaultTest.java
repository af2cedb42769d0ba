package io.sluice.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.problem.RefusedException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DemoFaultTest {
    @ParameterizedTest
    @ValueSource(strings = {"errors=6%", "errors=2.01%", "errors=100%", "slow=500ms", "slow=301ms", "slow=1s"})
    void aFaultThatBreaksALimitIsTaken(String text) {
        assertThat(DemoFault.parse(text).text()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"errors", "errors=6", "errors=101%", "errors=2%", "slow=300ms", "slow=fast", "slow=5m", "none"})
    void aFaultThatNobodyCouldFindIsRefused(String text) {
        assertThatThrownBy(() -> DemoFault.parse(text))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("was " + text + ", but must be errors=PERCENT above 2%");
    }
}
