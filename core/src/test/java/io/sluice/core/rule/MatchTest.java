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
                refused("a suffix longer than any id", () -> new Match.UidSuffix("客".repeat(86)), "uidSuffix was 客"),
                refused("a suffix with a tab", () -> new Match.UidSuffix("a\t"), "uidSuffix was a\\u0009"),
                refused("a channel that turns the writing", () -> new Match.Channel("\u202e"), "channel was \\u202e"),
                refused(
                        "a header name with a blank",
                        () -> new Match.Header("X Canary", "1"),
                        "header.name was X Canary"),
                refused(
                        "a header name with a colon",
                        () -> new Match.Header("X-Canary:", "1"),
                        "header.name was X-Canary:"),
                refused("a header name beyond ASCII", () -> new Match.Header("灰度", "1"), "header.name was 灰度"),
                refused("a blank before a value", () -> new Match.Header("X", " 1"), "header.value was  1"),
                refused("a blank after a value", () -> new Match.Header("X", "1 "), "header.value was 1 "),
                refused("a cookie name with =", () -> new Match.Cookie("a=b", "1"), "cookie.name was a=b"),
                refused("a cookie with ;", () -> new Match.Cookie("c", "1; d=2"), "cookie.value was 1; d=2"),
                refused("a cookie with a blank", () -> new Match.Cookie("c", "a b"), "cookie.value was a b"),
                refused("a cookie in quotes", () -> new Match.Cookie("c", "\"1\""), "cookie.value was \"1\""),
                refused("a cookie beyond ASCII", () -> new Match.Cookie("c", "é"), "cookie.value was é"),
                refused("no condition", () -> new Match.All(List.of()), "all was empty"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refused")
    void aConditionThatCannotBeMeantIsRefused(String name, ThrowingCallable made, String message) {
        assertThatThrownBy(made).hasMessageStartingWith(message).hasMessageContaining(", but must ");
    }

    @Test
    void everyCharacterThatTheStandardsAllowIsAllowed() {
        String token = "!#$%&'*+-.^_`|~09azAZ";

        assertThat(new Match.Header(token, "a b\"c;d,é灰").value()).isEqualTo("a b\"c;d,é灰");
        assertThat(new Match.Cookie(token, "!#$%&'()*+-./09:<=>?@AZ[]^_`az{|}~").name())
                .isEqualTo(token);
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
