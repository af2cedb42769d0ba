package io.sluice.core.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.identity.Identity;
import io.sluice.core.identity.RequestView;
import io.sluice.testing.Requirement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class MatchTest {
    private static final RequestView NOTHING = RequestView.empty();

    @Requirement("D6")
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "canary=10, false",
                "mycanary=1, false",
                "a=b; canary=1, true",
                "canary=\"1\", false",
                "canary = 1, false",
                "CANARY=1, false",
                "canary=1, true",
                "canary=1; canary=1, false"
            })
    void cookiesMatchExactly(String header, boolean matches) {
        Match canary = new Match.Cookie("canary", "1");

        assertThat(canary.matches(Map.of("Cookie", header)::get, Identity.nobody()))
                .isEqualTo(matches);
    }

    @Test
    void customersMatchExactly() {
        Match uid = new Match.Uid(Set.of("42", "张三"));

        assertThat(uid.matches(NOTHING, Identity.ofCustomer("42"))).isTrue();
        assertThat(uid.matches(NOTHING, Identity.ofCustomer("张三"))).isTrue();
        assertThat(uid.matches(NOTHING, Identity.ofCustomer(" 42"))).isFalse();
        assertThat(uid.matches(NOTHING, Identity.ofRequest("42"))).isFalse();
        assertThat(uid.matches(NOTHING, Identity.nobody())).isFalse();
    }

    @Test
    void suffixesAndChannelsAreAskedOfTheCustomerOnly() {
        assertThat(new Match.UidSuffix("42").matches(NOTHING, Identity.ofCustomer("10042")))
                .isTrue();
        assertThat(new Match.UidSuffix("42").matches(NOTHING, Identity.ofRequest("10042")))
                .isFalse();
        assertThat(new Match.Channel("app").matches(NOTHING, Identity.of(null, null, "app")))
                .isTrue();
        assertThat(new Match.Channel("app").matches(NOTHING, Identity.of("app", "app", "App")))
                .isFalse();
    }

    static List<Arguments> refused() {
        return List.of(
                refused("no customer", () -> new Match.Uid(Set.of()), "uid was empty"),
                refused("an empty customer", () -> new Match.Uid(Set.of("")), "uid was an empty id"),
                refused("a broken customer", () -> new Match.Uid(Set.of("\ud800")), "uid was "),
                refused("an empty suffix", () -> new Match.UidSuffix(""), "uidSuffix was empty"),
                refused("an empty channel", () -> new Match.Channel(""), "channel was empty"),
                refused("an empty header name", () -> new Match.Header("", "1"), "header.name was empty"),
                refused("an empty header value", () -> new Match.Header("X", ""), "header.value was empty"),
                refused(
                        "a line break",
                        () -> new Match.Header("X", "v2\r\nX-Admin: 1"),
                        "header.value was v2\\u000d\\u000a"),
                refused(
                        "a next-line character",
                        () -> new Match.Cookie("c", "v2\u0085x"),
                        "cookie.value was v2\\u0085x"),
                refused("a line separator", () -> new Match.Cookie("c", "v2\u2028x"), "cookie.value was v2\\u2028x"),
                refused("9 KB", () -> new Match.Header("X", "x".repeat(9_000)), "header.value was xxx"),
                refused("no condition", () -> new Match.All(List.of()), "all was empty"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refused")
    void aConditionThatCannotBeMeantIsRefused(String name, ThrowingCallable made, String message) {
        assertThatThrownBy(made).hasMessageStartingWith(message).hasMessageContaining(", but must ");
    }

    @Test
    void bothPartsOfAPairAreNamed() {
        assertThatThrownBy(() -> new Match.Header("", ""))
                .hasMessageContaining("header.name")
                .hasMessageContaining("header.value");
    }

    private static Arguments refused(String name, ThrowingCallable made, String message) {
        return Arguments.of(name, made, message);
    }
}
