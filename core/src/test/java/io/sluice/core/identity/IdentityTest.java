package io.sluice.core.identity;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Requirement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@Requirement("A2")
class IdentityTest {
    static List<Arguments> ids() {
        return List.of(
                Arguments.of("absent", null, false),
                Arguments.of("empty", "", false),
                Arguments.of("the word null", "null", true),
                Arguments.of("zero", "0", true),
                Arguments.of("a blank in front", " 42", true),
                Arguments.of("emoji", "😀", true),
                Arguments.of("256 bytes of ASCII", "x".repeat(256), true),
                Arguments.of("257 bytes of ASCII", "x".repeat(257), false),
                Arguments.of("256 bytes of two each", "é".repeat(128), true),
                Arguments.of("258 bytes of two each", "é".repeat(129), false),
                Arguments.of("255 bytes of three each", "客".repeat(85), true),
                Arguments.of("258 bytes of three each", "客".repeat(86), false),
                Arguments.of("256 bytes of four each", "😀".repeat(64), true),
                Arguments.of("260 bytes of four each", "😀".repeat(65), false),
                Arguments.of("a megabyte", "x".repeat(1 << 20), false),
                Arguments.of("a high surrogate alone", "a\ud83d", false),
                Arguments.of("a low surrogate alone", "\ude00a", false),
                Arguments.of("a pair in the wrong order", "\ude00\ud83d", false),
                Arguments.of("a joined emoji", "👩\u200d🚀", true),
                Arguments.of("a no-break space", "a\u00a0b", true),
                Arguments.of("a tab", "a\tb", false),
                Arguments.of("a line break", "a\r\nb", false),
                Arguments.of("a zero", "a\0", false),
                Arguments.of("delete", "a\u007f", false),
                Arguments.of("next line", "a\u0085", false),
                Arguments.of("a line separator", "a\u2028", false),
                Arguments.of("right to left", "a\u202e", false),
                Arguments.of("an isolate", "a\u2066", false),
                Arguments.of("an Arabic letter mark", "a\u061c", false));
    }

    @ParameterizedTest(name = "{0}: {2}")
    @MethodSource("ids")
    void anIdThatCannotBeAKeyCountsAsAbsent(String name, String id, boolean usable) {
        Identity who = Identity.of(id, "req-1", null);

        assertThat(who.customer()).isEqualTo(usable ? id : "");
        assertThat(who.key()).isEqualTo(usable ? id : "req-1");
    }

    @Test
    void idsAreComparedAsSent() {
        assertThat(Identity.ofCustomer(" 42")).isNotEqualTo(Identity.ofCustomer("42"));
        assertThat(Identity.ofCustomer("\u00e9")).isNotEqualTo(Identity.ofCustomer("e\u0301"));
    }

    @Test
    void nobodyHasNoKey() {
        assertThat(Identity.of(null, null, null)).isEqualTo(Identity.nobody());
        assertThat(Identity.nobody().key()).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "canary=10, 10",
                "canary=1, 1",
                "mycanary=1,",
                "canary=1x, 1x",
                "a=b; canary=1, 1",
                "a=b;canary=1;c=d, 1",
                "canary=\"1\", \"1\"",
                "canary = 1,",
                "CANARY=1,",
                "canary=1; canary=1,",
                "canary=1; canary=2,",
                "x=canary=1,",
                "canary,",
                "canary=, ``",
                "=1,",
                ";;;,",
                "canary=a=b, a=b"
            })
    void aCookieHasOneValueByItsExactName(String header, String value) {
        RequestView request = name -> name.equals("Cookie") ? header : null;

        assertThat(request.cookie("canary")).isEqualTo(value);
    }

    @Test
    void anEmptyRequestHasNothing() {
        assertThat(RequestView.empty().header("Host")).isNull();
        assertThat(RequestView.empty().cookie("canary")).isNull();
    }
}
