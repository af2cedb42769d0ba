package io.sluice.core.problem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    void ofALongPathTheEndIsKept() {
        String deep = "releases[0].rules[2].match" + ".all[1]".repeat(20) + ".header.name";

        Problem problem = new Problem(deep, "", "");

        assertThat(problem.path()).hasSize(83).startsWith("...").endsWith(".all[1].header.name");
        assertThat(problem.under("plan").path()).isEqualTo(problem.path());
    }

    @Test
    void noCharacterIsCutInTwo() {
        String odd = "x" + "😀".repeat(60);

        assertThat(new Problem("p", odd, "").was()).isEqualTo("x" + "😀".repeat(39) + "...");
        assertThat(new Problem(odd + "y", "", "").path()).isEqualTo("..." + "😀".repeat(40) + "y");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"\ud800, \\ud800", "a\udc00b, a\\udc00b", "\udc00\ud83d, \\udc00\\ud83d", "\udb40\udc01, \\udb40\\udc01"
    })
    void halvesOfCharactersAndInvisibleOnesAreMadeVisible(String value, String shown) {
        assertThat(Problem.printable(value)).isEqualTo(shown);
        assertThat(Problem.escaped((value + " ").repeat(100))).isEqualTo((shown + " ").repeat(100));
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
