package io.sluice.core.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Requirement;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Instances are written as {@code name:version}; one without a version is written as its name alone. */
@Requirement({"E5", "E6"})
class InstanceChoiceTest {
    @ParameterizedTest(name = "{0} of [{1}]: {3} [{2}]")
    @CsvSource({
        "v2, a:v2 b:stable c:v2, a:v2 c:v2, WANTED",
        "v2, a:v2, a:v2, WANTED",
        "v2, a:stable b:v3, a:stable, FALLBACK_STABLE",
        "v2, a b: c:v3, a b:, FALLBACK_STABLE",
        "v2, a:v3 b:v4, '', NONE",
        "v2, a:V2 b:v2.0 c:v, '', NONE",
        "v2, '', '', NONE",
        "stable, a:v2 b:stable c d:, b:stable c d:, WANTED",
        "stable, a:v2, '', NONE",
        "stable, '', '', NONE",
    })
    void theLadderIsWantedThenStableThenNone(String wanted, String instances, String chosen, Rung rung) {
        InstanceChoice<String> choice = InstanceChoice.of(wanted, words(instances), InstanceChoiceTest::versionOf);

        assertThat(choice).isEqualTo(new InstanceChoice<>(words(chosen), rung));
    }

    @Test
    void choosingLeavesTheInstancesAlone() {
        List<String> instances = List.of("a:v2", "b");

        InstanceChoice<String> choice = InstanceChoice.of("v2", instances, InstanceChoiceTest::versionOf);

        assertThat(choice.instances()).isUnmodifiable();
        assertThat(instances).containsExactly("a:v2", "b");
    }

    private static List<String> words(String text) {
        return Stream.of(text.split(" ")).filter(word -> !word.isEmpty()).toList();
    }

    private static String versionOf(String instance) {
        int colon = instance.indexOf(':');
        return colon < 0 ? null : instance.substring(colon + 1);
    }
}
