package io.sluice.core.problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ProblemTest {
    @Test
    void saysWhatWasAndWhatIsAllowed() {
        Problem problem = new Problem("rules[2].percent", "120", "must be within 0..100");

        assertThat(problem).hasToString("rules[2].percent was 120, but must be within 0..100");
    }

    @Test
    void aValueFromOutsideCannotActInATerminal() {
        assertThat(new Problem("p", "a\u001b[2J\u202eb\nc\u2028", "").was())
                .isEqualTo("a\\u001b[2J\\u202eb\\u000ac\\u2028");
    }

    @Test
    void aLongValueIsCut() {
        assertThat(new Problem("p", "x".repeat(80), "").was()).isEqualTo("x".repeat(80));
        assertThat(new Problem("p", "x".repeat(81), "").was()).isEqualTo("x".repeat(80) + "...");
    }

    @Test
    void aPartsProblemsStandUnderItsPath() {
        Problems problems = new Problems();

        String part = problems.part("release", () -> {
            throw new RefusedException("stages", "empty", "must have one");
        });
        problems.part("rules", () -> {
            throw new RefusedException("[2].percent", "120", "must be within 0..100");
        });
        problems.part("id", () -> {
            throw new RefusedException("", "A", "must be lower case");
        });

        assertThat(part).isNull();
        assertThat(problems.all())
                .extracting(Problem::path)
                .containsExactly("release.stages", "rules[2].percent", "id");
    }

    @Test
    void allAreThrownTogetherAndNoneIsNotThrown() {
        Problems problems = new Problems();
        problems.throwIfAny();
        problems.require(true, "fine", 1, "must hold");
        problems.require(false, "a", 1, "must hold");
        problems.add("b", "2", "must hold");

        assertThat(problems.isEmpty()).isFalse();
        assertThatThrownBy(problems::throwIfAny)
                .isInstanceOf(RefusedException.class)
                .hasMessage("a was 1, but must hold; b was 2, but must hold");
    }
}
