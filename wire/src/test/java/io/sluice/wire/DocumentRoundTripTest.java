package io.sluice.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.decision.Aborted;
import io.sluice.core.decision.BucketHash;
import io.sluice.core.decision.Bucketing;
import io.sluice.core.decision.Percent;
import io.sluice.core.decision.Split;
import io.sluice.core.decision.Weighted;
import io.sluice.core.rule.Match;
import io.sluice.core.rule.ReleaseRule;
import io.sluice.core.rule.Rule;
import io.sluice.core.rule.RuleSet;
import io.sluice.testing.Requirement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

@Requirement("D6")
class DocumentRoundTripTest {
    @Property(tries = 300)
    void ruleSetReadsBackAsItWas(@ForAll("ruleSets") RuleSet rules) {
        byte[] json = RuleSetJson.write(rules);

        assertThat(RuleSetJson.read(json)).isEqualTo(rules);
        assertThat(RuleSetJson.readStrict(json)).isEqualTo(rules);
        assertThat(new String(json, UTF_8)).doesNotContain("\n");
    }

    @Property(tries = 100)
    void equalRuleSetsAreEqualBytes(@ForAll("ruleSets") RuleSet rules) {
        byte[] json = RuleSetJson.write(rules);

        assertThat(RuleSetJson.write(RuleSetJson.read(json))).isEqualTo(json);
    }

    @Provide
    Arbitrary<RuleSet> ruleSets() {
        Arbitrary<Long> whole = Arbitraries.longs().between(0, Fields.LARGEST_WHOLE);
        return Combinators.combine(whole, whole, releases()).as(RuleSet::of);
    }

    private static Arbitrary<List<ReleaseRule>> releases() {
        return releaseOf("r1", "order", "user")
                .list()
                .ofMaxSize(1)
                .flatMap(first -> releaseOf("r2", "stock").list().ofMaxSize(1).map(second -> {
                    List<ReleaseRule> both = new ArrayList<>(first);
                    both.addAll(second);
                    return both;
                }));
    }

    private static Arbitrary<ReleaseRule> releaseOf(String id, String... services) {
        return Combinators.combine(
                        splits(),
                        rules(),
                        Arbitraries.longs().between(0, 1000),
                        Arbitraries.longs().between(1, 600_000),
                        Arbitraries.longs().between(1, 600_000))
                .as((split, rules, step, slower, overdue) -> new ReleaseRule(
                        id,
                        "v2.1.0",
                        List.of(services),
                        split,
                        rules,
                        step,
                        Duration.ofMillis(slower),
                        Duration.ofMillis(overdue)));
    }

    private static Arbitrary<Split> splits() {
        Arbitrary<Bucketing> bucketings = Combinators.combine(
                        Arbitraries.of(BucketHash.class), texts().ofMaxLength(100))
                .as(Bucketing::of);
        Arbitrary<Split> live = Combinators.combine(
                        bucketings, percents(), customers().set().ofMaxSize(3))
                .as(Weighted::new);
        Arbitrary<Split> aborted = Combinators.combine(
                        bucketings, Arbitraries.strings().all().filter(DocumentRoundTripTest::isWellFormed))
                .as(Aborted::of);
        return Arbitraries.oneOf(live, aborted);
    }

    private static Arbitrary<List<Rule>> rules() {
        return Combinators.combine(Arbitraries.of("a", "b", "beta-1", "0.x"), matches(3), percents())
                .as(Rule::of)
                .list()
                .uniqueElements(Rule::name)
                .ofMaxSize(3);
    }

    private static Arbitrary<Match> matches(int depth) {
        Arbitrary<Match> simple = Arbitraries.oneOf(
                customers().set().ofMinSize(1).ofMaxSize(3).map(Match.Uid::new),
                texts().ofMaxLength(20).map(Match.UidSuffix::new),
                texts().ofMaxLength(20).map(Match.Channel::new),
                Combinators.combine(tokens(), texts().ofMaxLength(20).map(text -> "=" + text + "="))
                        .as(Match.Header::new),
                Combinators.combine(tokens(), tokens()).as(Match.Cookie::new));
        return depth == 0
                ? simple
                : Arbitraries.oneOf(
                        simple,
                        matches(depth - 1).list().ofMinSize(1).ofMaxSize(2).map(Match.All::new));
    }

    private static Arbitrary<String> tokens() {
        return Arbitraries.strings()
                .withChars("!#$%&'*+.^_`|~-")
                .alpha()
                .numeric()
                .ofMinLength(1)
                .ofMaxLength(20);
    }

    private static Arbitrary<Percent> percents() {
        return Arbitraries.integers().between(0, 10_000).map(Percent::new);
    }

    private static Arbitrary<String> customers() {
        return texts().ofMaxLength(60);
    }

    private static net.jqwik.api.arbitraries.StringArbitrary texts() {
        return Arbitraries.strings()
                .withCharRange(' ', '~')
                .withCharRange('\u00a0', '\u0600')
                .withCharRange('\u0620', '\u1fff')
                .withCharRange('\u3000', '\u9fff')
                .ofMinLength(1);
    }

    private static boolean isWellFormed(String text) {
        return new String(text.getBytes(UTF_8), UTF_8).equals(text);
    }
}
