package io.sluice.migration.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.problem.RefusedException;
import io.sluice.testing.Requirement;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Requirement("I11")
class KeysTest {
    @ParameterizedTest(name = "[{0}]")
    @ValueSource(strings = {"x", "sku-1", "a b", " ", "/eu/warehouse 7/sku:1", "商品-一", "😀", "a😀b", "é"})
    void aKeyMayBeAnyText(String key) {
        assertThat(Keys.require(key)).isSameAs(key);
    }

    @Test
    void aKeyHasOneTo255Characters() {
        assertThat(Keys.require("x".repeat(255))).hasSize(255);
        assertThatThrownBy(() -> Keys.require("x".repeat(256))).hasMessageStartingWith("key was 256 characters, but");
    }

    static Stream<Arguments> unusable() {
        return Stream.of(
                Arguments.of(null, "null"),
                Arguments.of("", "empty"),
                Arguments.of("a\u0000b", "a\\u0000b"),
                Arguments.of("a\n", "a\\u000a"),
                Arguments.of("\u007f", "\\u007f"),
                Arguments.of("\u009f", "\\u009f"),
                Arguments.of("a\ud83d", "a\\ud83d"),
                Arguments.of("\ud83da", "\\ud83da"),
                Arguments.of("\ude00", "\\ude00"),
                Arguments.of("\ude00\ud83d", "\\ude00\\ud83d"));
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("unusable")
    void whatCanNotBeOwnedIsRefused(String key, String shown) {
        assertThatThrownBy(() -> Keys.require(key))
                .isInstanceOf(RefusedException.class)
                .hasMessage("key was " + shown + ", but must have 1..255 characters, none of them a control character");
    }
}
