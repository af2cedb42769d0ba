package io.sluice.core.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Requirement;
import java.time.Duration;
import org.junit.jupiter.api.Test;

@Requirement("B3")
class VerdictTest {
    @Test
    void aReasonAlwaysFitsItsColumn() {
        assertThat(verdict("x".repeat(256)).reason()).isEqualTo("x".repeat(256));
        assertThat(verdict("x".repeat(257)).reason()).isEqualTo("x".repeat(255) + "…");
        assertThat(verdict("x".repeat(254) + "😀😀").reason()).isEqualTo("x".repeat(254) + "…");
    }

    private static Verdict verdict(String reason) {
        return new Verdict(Health.HOLD, reason, "", 0, 0, Duration.ZERO);
    }
}
