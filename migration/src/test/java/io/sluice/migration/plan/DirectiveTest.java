package io.sluice.migration.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.testing.Requirement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DirectiveTest {
    @Requirement("I8")
    @Test
    void pausingIsANewVersionOfTheSamePlan() {
        Directive start = Directive.start("inventory");

        Directive paused = start.with(new Pace(500, true));

        assertThat(paused.version()).isEqualTo(2);
        assertThat(paused.plan().revision())
                .as("keys that were handed back are not tried again")
                .isEqualTo(1);
        assertThat(paused.pace().isPaused()).isTrue();
    }

    @Test
    void aNextPlanIsANewVersionAtTheSamePace() {
        Directive paused = Directive.start("inventory").with(new Pace(1, true));

        Directive raised = paused.with(paused.plan().withPercent(10));

        assertThat(raised).isEqualTo(new Directive(3, Plan.start("inventory").withPercent(10), new Pace(1, true)));
    }

    @Test
    void aMigrationStartsWithEverythingAtLegacy() {
        Directive start = Directive.start("inventory");

        assertThat(start.version()).isEqualTo(1);
        assertThat(start.plan().newPercent()).isZero();
        assertThat(start.plan().alsoNew()).isEmpty();
        assertThat(start.pace()).isEqualTo(new Pace(500, false));
    }

    @ParameterizedTest(name = "{0} keys a second")
    @ValueSource(ints = {1, 100_000})
    void aPaceIsWithinOneAndAHundredThousand(int keys) {
        assertThat(new Pace(keys, false).keysPerSecond()).isEqualTo(keys);
    }

    @ParameterizedTest(name = "{0} keys a second")
    @ValueSource(ints = {-1, 0, 100_001})
    void anyOtherPaceIsRefused(int keys) {
        assertThatThrownBy(() -> new Pace(keys, false))
                .hasMessage("keysPerSecond was " + keys + ", but must be within 1..100000");
    }
}
