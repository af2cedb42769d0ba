package io.sluice.core.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.decision.Percent;
import io.sluice.core.identity.Identity;
import io.sluice.core.identity.RequestView;
import io.sluice.testing.Requirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What is made fast must not decide otherwise than asking rule by rule. */
class RulesPropertyTest {
    private static final List<String> IDS = List.of("", "1", "42", "c-42", "c-142", "用户42", "é", "10086");
    private static final List<String> CHANNELS = List.of("", "app", "web", "mini-program");

    @Requirement("D6")
    @Property(tries = 2000)
    void theFirstRuleIsTheOneThatAskingEachWouldFind(
            @ForAll("matches") List<Match> matches,
            @ForAll("customers") String customer,
            @ForAll("channels") String channel,
            @ForAll("values") String header,
            @ForAll("values") String cookie) {
        List<Rule> rules = new ArrayList<>();
        for (Match match : matches) {
            rules.add(Rule.of("rule-" + rules.size(), match, Percent.HUNDRED));
        }
        RequestView request = view(Map.of("X-Canary", header, "Cookie", "canary=" + cookie));
        Identity who = Identity.of(customer, "req-1", channel);

        Rule found = Rules.of(rules).first(request, who);

        assertThat(found)
                .isEqualTo(rules.stream()
                        .filter(rule -> rule.match().matches(request, who))
                        .findFirst()
                        .orElse(null));
    }

    @Provide
    Arbitrary<List<Match>> matches() {
        return match(2).list().ofMaxSize(6);
    }

    @Provide
    Arbitrary<String> customers() {
        return Arbitraries.of(IDS);
    }

    @Provide
    Arbitrary<String> channels() {
        return Arbitraries.of(CHANNELS);
    }

    @Provide
    Arbitrary<String> values() {
        return Arbitraries.of("0", "1");
    }

    private Arbitrary<Match> match(int depth) {
        Arbitrary<String> ids = Arbitraries.of(IDS).filter(id -> !id.isEmpty());
        Arbitrary<Match> uid = ids.set().ofMinSize(1).ofMaxSize(2).map(Match.Uid::new);
        Arbitrary<Match> suffix = Arbitraries.of("2", "42", "-42", "户42", "86").map(Match.UidSuffix::new);
        Arbitrary<Match> channel = Arbitraries.of("app", "web").map(Match.Channel::new);
        Arbitrary<Match> header = values().map(value -> new Match.Header("X-Canary", value));
        Arbitrary<Match> cookie = values().map(value -> new Match.Cookie("canary", value));
        if (depth == 0) {
            return Arbitraries.oneOf(uid, suffix, channel, header, cookie);
        }
        Arbitrary<Match> all = Combinators.combine(match(depth - 1), match(depth - 1))
                .as((one, other) -> new Match.All(List.of(one, other)));
        return Arbitraries.oneOf(uid, suffix, channel, header, cookie, all);
    }

    private static RequestView view(Map<String, String> headers) {
        return headers::get;
    }
}
