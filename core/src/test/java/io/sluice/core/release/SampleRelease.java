package io.sluice.core.release;

import io.sluice.core.decision.BucketHash;
import io.sluice.core.decision.Bucketing;
import io.sluice.core.decision.Percent;
import io.sluice.core.guard.Baseline;
import io.sluice.core.guard.ErrorRate;
import io.sluice.core.guard.Health;
import io.sluice.core.guard.Thresholds;
import io.sluice.core.guard.Verdict;
import io.sluice.core.rule.Match;
import io.sluice.core.rule.Rule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** Releases for tests: 1, 5, 25, 50 and 100 %, each held for ten seconds; 50 samples, 2 % errors, 300 ms. */
public final class SampleRelease {
    public static final Duration HOLD = Duration.ofSeconds(10);
    public static final Thresholds LIMITS =
            new Thresholds(50, ErrorRate.parse("2%"), Duration.ofMillis(300), Thresholds.DEFAULT_SILENCE);
    public static final Plan PLAN = Plan.canary(HOLD, LIMITS);

    private SampleRelease() {}

    public static ReleaseSpec spec(String id, String... services) {
        return spec(PLAN, id, services);
    }

    /** The same, under a policy of its own. */
    public static ReleaseSpec spec(Policy policy, String id, String... services) {
        return spec(plan(policy), id, services);
    }

    /** The same, with a plan of its own. */
    public static ReleaseSpec spec(Plan plan, String id, String... services) {
        return new ReleaseSpec(
                id,
                "v2",
                List.of(services),
                Bucketing.of(BucketHash.FNV1A_MIXED, id),
                Set.of("vip-1", "客户-1"),
                List.of(),
                plan);
    }

    /** The usual stages and limits under a policy. */
    public static Plan plan(Policy policy) {
        return new Plan(PLAN.stages(), LIMITS, Baseline.DEFAULT, List.of(), policy, Pace.TIME, 0);
    }

    /** Steps back so many times at most; a minute on hold pauses. */
    public static Policy steppingBack(int most) {
        return new Policy(Policy.OnBreach.STEP_BACK, most, Duration.ofMinutes(1), Policy.OnHold.PAUSE);
    }

    /** A minute on hold leads to this. */
    public static Policy onHold(Policy.OnHold onHold) {
        return new Policy(Policy.OnBreach.ABORT, 2, Duration.ofMinutes(1), onHold);
    }

    /** A specification with one of everything that one can have. */
    public static ReleaseSpec richSpec(String id, String... services) {
        Match everyKind = new Match.All(List.of(
                new Match.Uid(Set.of("42", "张三")),
                new Match.UidSuffix("7"),
                new Match.Channel("app"),
                new Match.Header("X-Tester", "1; \"é\""),
                new Match.Cookie("canary", "1")));
        List<Rule> rules = List.of(
                Rule.of("testers", everyKind, Percent.HUNDRED),
                Rule.of("no-kiosk", new Match.Channel("kiosk"), Percent.ZERO),
                Rule.of("third", new Match.Channel("web"), Percent.parse("33.33")));
        Plan plan = new Plan(
                List.of(
                        new Stage(Percent.parse("0.01"), Duration.ZERO),
                        new Stage(Percent.HUNDRED, Duration.ofDays(30).minusNanos(1))),
                LIMITS);
        return new ReleaseSpec(
                id,
                "v2.1.0",
                List.of(services),
                Bucketing.of(BucketHash.FNV1A, "盐 " + id),
                Set.of("vip-1"),
                rules,
                plan);
    }

    public static JournalEntry entry(String release, String action) {
        return new JournalEntry(
                Instant.parse("2026-10-01T00:00:00.123Z"), release, "alice", action, "因为 \"why\"", "draft 0%", null);
    }

    public static Verdict verdict(Health health, String reason) {
        return new Verdict(health, reason, "order", 100, 6, Duration.ofMillis(120));
    }
}
