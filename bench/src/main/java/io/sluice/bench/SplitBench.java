package io.sluice.bench;

import io.sluice.bench.Goals.Goal;
import io.sluice.core.decision.BucketHash;
import io.sluice.core.decision.Bucketing;
import io.sluice.core.decision.Decision;
import io.sluice.core.decision.Percent;
import io.sluice.core.decision.Weighted;
import io.sluice.core.identity.Identity;
import io.sluice.core.identity.RequestView;
import io.sluice.core.rule.InMemoryRuleSource;
import io.sluice.core.rule.Match;
import io.sluice.core.rule.ReleaseRule;
import io.sluice.core.rule.Rule;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.rule.RuleSource;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What a decision costs, in units of what the hardware needs at least. */
final class SplitBench {
    private static final int KEYS = 1 << 10;
    private static final int MASK = KEYS - 1;
    private static final String SALT = "release-2026-10";

    private static final String CHAIN = "xor-multiply chain, in a row";
    private static final String HASH_IN_A_ROW = "hash, in a row";
    private static final String MIXED_IN_A_ROW = "hash mixed, in a row";
    private static final String HASH = "hash";
    private static final String MIXED = "hash mixed";
    private static final String DECISION = "full decision";
    private static final String DECISION_RULES = "full decision, 5 rules, mixed";
    private static final String DECISION_RULES_PLAIN = "full decision, 5 rules, fnv1a";
    private static final String ROUTER = "router with a lock";

    static final Goals GOALS = new Goals(List.of(
            new Goal(HASH_IN_A_ROW, CHAIN, 1.35, 0),
            new Goal(MIXED_IN_A_ROW, HASH_IN_A_ROW, 1.3, 0),
            new Goal(MIXED, HASH, 1.3, 0),
            new Goal(DECISION, HASH, 2.6, 24),
            new Goal(DECISION, ROUTER, 1 / 3.0, 24),
            new Goal(DECISION_RULES, MIXED, 2.6, 24)));

    private final String[] keys = IntStream.range(0, KEYS)
            .mapToObj(i -> String.format(Locale.ROOT, "c-%07d", i))
            .toArray(String[]::new);
    private final Identity[] customers = new Identity[KEYS];
    private final LockingRouter.Request[] requests = new LockingRouter.Request[KEYS];

    /** Where decisions end, so that they cannot be optimised away. */
    private final @Nullable Object[] kept = new Object[KEYS];

    private final Bucketing plain = Bucketing.of(BucketHash.FNV1A, SALT);
    private final Bucketing mixed = Bucketing.of(BucketHash.FNV1A_MIXED, SALT);
    private final RuleSource withoutRules = source(BucketHash.FNV1A, List.of());
    /** Five kinds of rules, of which none matches: each is one call that the compiler cannot see through. */
    private static final List<Rule> FIVE_RULES = List.of(
            Rule.of("testers", new Match.Header("X-Tester", "1"), Percent.HUNDRED),
            Rule.of("cookie", new Match.Cookie("canary", "1"), Percent.HUNDRED),
            Rule.of("known", new Match.Uid(Set.of("10086", "10087")), Percent.HUNDRED),
            Rule.of("suffix", new Match.UidSuffix("-42"), Percent.HUNDRED),
            Rule.of("app", new Match.Channel("app"), Percent.of(50)));

    private final RuleSource withRules = source(BucketHash.FNV1A_MIXED, FIVE_RULES);
    private final RuleSource withRulesPlain = source(BucketHash.FNV1A, FIVE_RULES);

    private final LockingRouter router = new LockingRouter(10, SALT);

    private SplitBench() {
        for (int i = 0; i < KEYS; i++) {
            customers[i] = Identity.of(keys[i], null, "web");
            requests[i] = new LockingRouter.Request(keys[i], "");
        }
        router.allow("vip-1");
    }

    /** Measures in so many rounds. */
    static Map<String, Paired.Cost> measure(int rounds) {
        Paired paired = new Paired();
        new SplitBench().addTo(paired);
        return paired.measure(rounds);
    }

    private void addTo(Paired paired) {
        paired.add(CHAIN, this::chain);
        paired.add(HASH_IN_A_ROW, operations -> inARow(plain, operations));
        paired.add(MIXED_IN_A_ROW, operations -> inARow(mixed, operations));
        paired.add(HASH, operations -> side(plain, operations));
        paired.add(MIXED, operations -> side(mixed, operations));
        paired.add(DECISION, operations -> decide(withoutRules, operations));
        paired.add(DECISION_RULES, operations -> decide(withRules, operations));
        paired.add(DECISION_RULES_PLAIN, operations -> decide(withRulesPlain, operations));
        paired.add(ROUTER, this::route);
    }

    /** The least that FNV-1a can take for these lengths: one character is read, and the next key waits for the hash. */
    private int chain(int operations) {
        int at = 0;
        for (int n = 0; n < operations; n++) {
            String key = keys[at];
            int length = key.length();
            int hash = 0x811c9dc5 ^ key.charAt(0);
            for (int i = 0; i < length; i++) {
                hash = (hash ^ i) * 0x01000193;
            }
            at = hash + n & MASK;
        }
        return at;
    }

    /** The next key waits for the bucket of the last. */
    private int inARow(Bucketing bucketing, int operations) {
        int at = 0;
        for (int n = 0; n < operations; n++) {
            at = bucketing.bucket(keys[at]) + n & MASK;
        }
        return at;
    }

    /** Keys after one another, which the processor may overlap. */
    private int side(Bucketing bucketing, int operations) {
        int sum = 0;
        for (int n = 0; n < operations; n++) {
            sum += bucketing.bucket(keys[n & MASK]);
        }
        return sum;
    }

    private int decide(RuleSource source, int operations) {
        RequestView request = RequestView.empty();
        int canaries = 0;
        for (int n = 0; n < operations; n++) {
            Decision decision = source.current().releases().get(0).decide(request, customers[n & MASK]);
            kept[n & MASK] = decision;
            canaries += decision.isCanary() ? 1 : 0;
        }
        return canaries;
    }

    private int route(int operations) {
        int canaries = 0;
        for (int n = 0; n < operations; n++) {
            LockingRouter.Decision decision = router.route(requests[n & MASK]);
            kept[n & MASK] = decision;
            canaries += decision.version().equals("canary") ? 1 : 0;
        }
        return canaries;
    }

    private static RuleSource source(BucketHash hash, List<Rule> rules) {
        ReleaseRule release = new ReleaseRule(
                "release-2026-10",
                "v2",
                List.of("order"),
                new Weighted(Bucketing.of(hash, SALT), Percent.of(10), Set.of("vip-1", "vip-2", "vip-3")),
                rules,
                1,
                Duration.ofMillis(300));
        InMemoryRuleSource source = new InMemoryRuleSource();
        source.offer(RuleSet.of(0, 1, List.of(release)));
        return source;
    }
}
