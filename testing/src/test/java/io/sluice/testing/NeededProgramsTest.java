package io.sluice.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;

class NeededProgramsTest {
    private static final String REASON = "missing /nowhere/a and /nowhere/b; install with: apt-get install a b";

    @NeedsProgram(value = "/bin/sh", install = "apt-get install dash")
    private static final class AtHand {}

    @NeedsProgram(
            value = {"/nowhere/a", "/bin/sh", "/nowhere/b"},
            install = "apt-get install a b")
    private static final class Missing {}

    @Test
    void aTestWithItsProgramsRuns() {
        assertThat(evaluate(AtHand.class, false).isDisabled()).isFalse();
        assertThat(evaluate(AtHand.class, true).isDisabled()).isFalse();
    }

    @Test
    void aTestWithoutItsProgramsIsSkippedAndTellsHowToInstallThem() {
        ConditionEvaluationResult result = evaluate(Missing.class, false);

        assertThat(result.isDisabled()).isTrue();
        assertThat(result.getReason()).hasValue(REASON);
    }

    @Test
    void aTestWithoutItsProgramsFailsWhereEveryTestIsRequired() {
        assertThatThrownBy(() -> evaluate(Missing.class, true))
                .isInstanceOf(AssertionError.class)
                .hasMessage(REASON);
    }

    private static ConditionEvaluationResult evaluate(Class<?> test, boolean isEveryTestRequired) {
        return new NeededPrograms(isEveryTestRequired).evaluate(test.getAnnotation(NeedsProgram.class));
    }
}
