package io.sluice.server.releases;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.decision.BucketHash;
import io.sluice.core.decision.Bucketing;
import io.sluice.core.decision.Percent;
import io.sluice.core.guard.Baseline;
import io.sluice.core.guard.ErrorRate;
import io.sluice.core.guard.Guard;
import io.sluice.core.guard.Thresholds;
import io.sluice.core.guard.Verdict;
import io.sluice.core.observation.Tally;
import io.sluice.core.release.Command;
import io.sluice.core.release.JournalEntry;
import io.sluice.core.release.Pace;
import io.sluice.core.release.Phase;
import io.sluice.core.release.Plan;
import io.sluice.core.release.Policy;
import io.sluice.core.release.Release;
import io.sluice.core.release.ReleaseSpec;
import io.sluice.core.release.ReleaseStore.AlreadyExistsException;
import io.sluice.core.rule.Match;
import io.sluice.core.rule.ReleaseRule;
import io.sluice.core.rule.Rule;
import io.sluice.core.rule.RuleSet;
import io.sluice.server.TestDatabase;
import io.sluice.server.audit.Journal;
import io.sluice.server.channels.ChannelStores;
import io.sluice.server.leadership.Leadership;
import io.sluice.server.ledger.StepRecord;
import io.sluice.testing.Requirement;
import io.sluice.testing.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** What the store of releases keeps on every database: core's contract, told in rows, and what only a database can break. */
abstract class JdbcReleaseStoreContract {
    private static final Thresholds LIMITS =
            new Thresholds(100, ErrorRate.parse("2%"), Duration.ofMillis(300), Duration.ofSeconds(30));

    private final TestDatabase database = database();
    private final Journal journal = new Journal(database.jdbc());
    private final StepRecord steps = new StepRecord(database.jdbc(), SettableClock.create());
    private JdbcReleaseStore store;

    /** An empty database. */
    abstract TestDatabase database();

    @BeforeEach
    void open() {
        store = reopened();
    }

    /** A store that has nothing in memory. */
    private JdbcReleaseStore reopened() {
        return ReleaseStores.of(database, journal, ChannelStores.of(database, journal, steps), steps);
    }

    @Test
    void aReleaseOfTheFirstVersionGoesOn() {
        database.downgradeTo("1");
        String spec = """
                {"id":"old","version":"v2","services":["order"],"salt":"old","hash":"fnv1a-mixed","allow":["vip-1"],"rules":[],
                 "plan":{"stages":[{"percent":1,"hold":"10m"},{"percent":100,"hold":"10m"}]},
                 "guard":{"minSamples":100,"maxErrorRate":0.02,"maxP99":"300ms","maxSilence":"30s"}}""";
        database.jdbc()
                .sql("insert into releases (id, spec, phase, stage, held_nanos, why, step, retired, revision)"
                        + " values ('old', ?, 'ramping', 0, 5000000000, null, 1, false, 2)")
                .param(spec)
                .update();

        database.upgrade();

        Release old = reopened().find("old").orElseThrow();
        assertThat(old.phase()).isEqualTo(new Phase.Ramping(0, Duration.ofSeconds(5)));
        assertThat(old.stepBacks()).isZero();
        assertThat(old.spec().plan().baseline()).isEqualTo(Baseline.DEFAULT);
        assertThat(old.spec().plan().policy()).isEqualTo(Policy.DEFAULT);
    }

    static Stream<Phase> phases() {
        return Stream.of(
                new Phase.Draft(),
                new Phase.Ramping(0, Duration.ZERO),
                new Phase.Ramping(4, Duration.ofSeconds(7, 123_456_789)),
                new Phase.Paused(2, Duration.ofDays(29), "line \"one\" 中文 😀"),
                new Phase.Completed(),
                new Phase.Aborted("order: error_rate=0.0600>0.0200"),
                new Phase.Aborted(""));
    }

    @ParameterizedTest
    @MethodSource("phases")
    void everyPhaseIsReadBackEqual(Phase phase) {
        Release draft = Release.draft(spec("release", "order", "user"));
        store.create(draft, entry(draft, "create"));
        Release next = new Release(draft.spec(), phase, 3, true, 2, 7);

        boolean saved = store.save(List.of(next), List.of());

        assertThat(saved).isTrue();
        assertThat(reopened().find("release")).hasValue(next);
        assertThat(reopened().all()).containsExactly(next);
    }

    @Test
    @Requirement("F25")
    void whatAFormerLeaderWouldSaveIsNotSaved() throws Exception {
        Release draft = create("release", "order");
        Release started = draft.on(Command.START, "");
        JdbcReleaseStore former =
                ReleaseStores.of(database, journal, ChannelStores.of(database, journal, steps), steps, new Replaced());

        assertThatThrownBy(() -> former.save(List.of(started), List.of(entry(started, "start"))))
                .hasMessage("replaced, in a transaction: true");

        assertThat(store.find("release")).hasValue(draft);
        assertThat(actions("release")).containsExactly("create");
    }

    /** A leadership that has ended without its holder's knowing. */
    private static final class Replaced implements Leadership {
        @Override
        public long epoch() {
            return 1;
        }

        @Override
        public void lead(Runnable action) {
            action.run();
        }

        @Override
        public <T> T inTerm(Supplier<T> action) {
            return action.get();
        }

        @Override
        public void requireStill() {
            throw new IllegalStateException(
                    "replaced, in a transaction: " + TransactionSynchronizationManager.isActualTransactionActive());
        }
    }

    @Test
    void aReleaseOfBeforeHasNeverSteppedBack() {
        create("release", "order");

        database.jdbc()
                .sql("insert into releases (id, spec, phase, step, retired, revision)"
                        + " select 'older', spec, 'draft', 0, false, 1 from releases")
                .update();

        assertThat(store.find("older").orElseThrow().stepBacks()).isZero();
    }

    @Test
    @Requirement("B9")
    void aStepBackIsSavedWithItsCountItsWeightAndItsRecord() {
        Release draft = Release.draft(steppingBack());
        store.create(draft, entry(draft, "create"));
        Release at25 = save(save(save(draft.on(Command.START, "")).on(Command.PROMOTE, "on"))
                .on(Command.PROMOTE, "on"));
        Tally bad = new Tally(100, 6, 0, new TreeMap<>(java.util.Map.of(300, 100L)));
        Verdict breach = new Guard(LIMITS).judge(bad, Duration.ZERO).about("order");
        Release back = at25.after(breach, Duration.ofSeconds(1));

        store.save(
                List.of(back),
                List.of(new JournalEntry(
                        Instant.EPOCH, "release", JournalEntry.GUARD, "step-back", "why", "paused 5%", breach)));

        Release read = reopened().find("release").orElseThrow();
        assertThat(read).isEqualTo(back);
        assertThat(read.stepBacks()).isEqualTo(1);
        assertThat(store.ruleSet().releases().get(0).split().percent()).isEqualTo(Percent.of(5));
        assertThat(steps.of("release"))
                .extracting(StepRecord.Line::percent)
                .containsExactly(Percent.of(1), Percent.of(5), Percent.of(25), Percent.of(5));
        assertThat(steps.of("release").get(2).verdictEntry()).isNotNull();
        assertThat(actions("release")).endsWith("step-back");
    }

    /** What was on hold counts as watched in the record, though it is forgiven when somebody resumes. */
    @Test
    void timeOnHoldIsWatchedTimeEvenAfterItIsForgiven() {
        Release started = save(create("release", "order").on(Command.START, ""));
        Verdict hold = new Guard(LIMITS).judge(Tally.empty(), Duration.ZERO);
        Release paused = save(started.after(hold, Duration.ofMinutes(40)));
        assertThat(paused.phase()).isInstanceOf(Phase.Paused.class);
        Release resumed = save(paused.on(Command.RESUME, "have a look"));

        save(resumed.after(hold, Duration.ofSeconds(7)));

        assertThat(steps.of("release"))
                .extracting(StepRecord.Line::watched)
                .containsExactly(Duration.ofMinutes(40).plusSeconds(7));
    }

    @Test
    void noReasonIsTooLongToAbortWith() {
        Release started = save(create("release", "order").on(Command.START, ""));
        String why = "x".repeat(1023) + "\ud83d\ude00 and more";

        save(started.on(Command.ABORT, why));

        assertThat(reopened().find("release").orElseThrow().phase()).isEqualTo(new Phase.Aborted("x".repeat(1023)));
    }

    @Test
    void releasesAreListedInTheOrderOfTheirCreation() {
        Stream.of("zebra", "ant", "mole").forEach(id -> create(id, id));

        assertThat(store.all()).extracting(Release::id).containsExactly("zebra", "ant", "mole");
    }

    @Test
    void anIdIsUsedOnceEvenAfterItsEnd() {
        Release aborted = create("release", "order").on(Command.ABORT, "no");
        store.save(List.of(aborted), List.of());

        assertThatThrownBy(() -> create("release", "other"))
                .isInstanceOf(AlreadyExistsException.class)
                .hasMessageContaining("release release exists already");
    }

    @Test
    void theDatabaseItselfRefusesTheSecondClaim() {
        create("first", "order", "user");

        assertThatThrownBy(() -> create("second", "coupon", "user"))
                .isInstanceOf(AlreadyExistsException.class)
                .hasMessage("service user is in release first already; complete or abort that one first");
        assertThat(store.find("second")).isEmpty();
        assertThat(journal.of("second")).isEmpty();
        assertThatThrownBy(() -> database.jdbc()
                        .sql("insert into release_service (service, release_id) values ('user', 'first')")
                        .update())
                .isInstanceOf(org.springframework.dao.DuplicateKeyException.class);
    }

    @Test
    void anEndFreesTheServices() {
        Release first = create("first", "order");

        store.save(List.of(first.on(Command.ABORT, "no")), List.of());

        assertThat(create("second", "order").id()).isEqualTo("second");
    }

    @Test
    @Requirement("F21")
    void whoIsSlowerSavesNothing() {
        Release draft = create("release", "order");
        Release started = draft.on(Command.START, "");
        Release aborted = draft.on(Command.ABORT, "stop");

        boolean first = store.save(List.of(aborted), List.of(entry(aborted, "abort")));
        boolean second = store.save(List.of(started), List.of(entry(started, "start")));

        assertThat(first).isTrue();
        assertThat(second).isFalse();
        assertThat(store.find("release")).hasValue(aborted);
        assertThat(actions("release")).containsExactly("create", "abort");
    }

    @Test
    void severalAreSavedAllOrNone() {
        Release one = create("one", "order");
        Release two = create("two", "user");
        store.save(List.of(two.on(Command.START, "")), List.of());

        boolean saved = store.save(List.of(one.on(Command.START, ""), two.on(Command.START, "")), List.of());

        assertThat(saved).isFalse();
        assertThat(store.find("one")).hasValue(one);
    }

    @Test
    @Requirement("D1")
    void theRevisionRisesWithWhatProcessesMustKnowAndOnlyThen() {
        Release draft = create("release", "order");
        assertThat(store.ruleSet()).isEqualTo(RuleSet.of(1, 0, List.of()));

        Release started = save(draft.on(Command.START, ""));
        assertThat(store.ruleSet()).isEqualTo(RuleSet.of(1, 1, rules(started)));

        Release held = save(started.after(healthy(), Duration.ofSeconds(1)));
        assertThat(store.ruleSet().revision()).isEqualTo(1);

        Release paused = save(held.on(Command.PAUSE, "lunch"));
        assertThat(store.ruleSet().revision()).isEqualTo(1);

        Release promoted = save(paused.on(Command.PROMOTE, "on"));
        assertThat(store.ruleSet()).isEqualTo(RuleSet.of(1, 2, rules(promoted)));

        Release aborted = save(promoted.on(Command.ABORT, "stop"));
        assertThat(store.ruleSet()).isEqualTo(RuleSet.of(1, 3, rules(aborted)));
        assertThat(store.ruleSet().releases().get(0).isAborted()).isTrue();

        save(aborted.retire());
        assertThat(store.ruleSet()).isEqualTo(RuleSet.of(1, 4, List.of()));
    }

    @Test
    void aKnownRuleSetIsCurrentUntilItChanges() {
        Release draft = create("release", "order");
        RuleSet before = store.ruleSet();
        assertThat(store.isCurrent(before)).isTrue();

        save(draft.on(Command.START, ""));

        assertThat(store.isCurrent(before)).isFalse();
    }

    @Test
    void eachWeightIsOnRecordWithItsVerdict() {
        Release started = save(create("release", "order").on(Command.START, ""));
        Release held = save(started.after(healthy(), Duration.ofMillis(400)));
        Release advanced = held.after(healthy(), Duration.ofHours(1));
        JournalEntry entry = new JournalEntry(
                Instant.EPOCH, "release", JournalEntry.ORCHESTRATOR, "advance", "healthy", "ramping 5%", healthy());

        store.save(List.of(advanced), List.of(entry));

        List<StepRecord.Line> record = steps.of("release");
        assertThat(record).extracting(StepRecord.Line::percent).containsExactly(Percent.of(1), Percent.of(5));
        assertThat(record.get(0).watched()).isEqualTo(Duration.ofMinutes(10));
        assertThat(record.get(0).leftAt()).isNotNull();
        assertThat(record.get(0).verdictEntry()).isEqualTo(2L);
        assertThat(record.get(1).leftAt()).isNull();
    }

    @Test
    @Requirement("B3")
    void theJournalKeepsTheNumbersOfAVerdict() {
        Release started = save(create("release", "order").on(Command.START, ""));
        Tally bad = new Tally(100, 6, 0, new TreeMap<>(java.util.Map.of(300, 100L)));
        Verdict breach = new Guard(LIMITS).judge(bad, Duration.ZERO).about("order");
        Release aborted = started.after(breach, Duration.ZERO);

        store.save(
                List.of(aborted),
                List.of(new JournalEntry(Instant.EPOCH, "release", "guard", "abort", "why", "aborted 0%", breach)));

        assertThat(journal.lastVerdict("release")).hasValue(breach);
    }

    @Test
    @Requirement("F21")
    void ofManyWhoRaceOneWins() throws Exception {
        Release draft = create("release", "order");
        Release next = draft.on(Command.ABORT, "stop");
        ExecutorService racers = Executors.newFixedThreadPool(8);

        List<Future<Boolean>> results = racers.invokeAll(Stream.generate(() ->
                        (Callable<Boolean>) () -> store.save(List.of(next), List.of(entry(next, "abort"))))
                .limit(40)
                .toList());

        racers.shutdown();
        int won = 0;
        for (Future<Boolean> result : results) {
            won += result.get() ? 1 : 0;
        }
        assertThat(won).isEqualTo(1);
        assertThat(actions("release")).containsExactly("create", "abort");
    }

    private Release create(String id, String... services) {
        Release draft = Release.draft(spec(id, services));
        store.create(draft, entry(draft, "create"));
        return draft;
    }

    private Release save(Release next) {
        assertThat(store.save(List.of(next), List.of())).isTrue();
        return next;
    }

    private List<String> actions(String release) {
        return journal.of(release).stream().map(line -> line.entry().action()).toList();
    }

    private static List<ReleaseRule> rules(Release release) {
        return release.rule().stream().toList();
    }

    private static Verdict healthy() {
        Tally good = new Tally(100, 0, 0, new TreeMap<>(java.util.Map.of(300, 100L)));
        return new Guard(LIMITS).judge(good, Duration.ZERO);
    }

    private static JournalEntry entry(Release release, String action) {
        return new JournalEntry(Instant.EPOCH, release.id(), "somebody", action, "because", "outcome", null);
    }

    private static ReleaseSpec steppingBack() {
        ReleaseSpec usual = spec("release", "order");
        Policy policy = new Policy(Policy.OnBreach.STEP_BACK, 2, Duration.ofMinutes(30), Policy.OnHold.PAUSE);
        Plan plan = new Plan(usual.plan().stages(), LIMITS, Baseline.OFF, List.of(), policy, Pace.TIME, 0);
        return new ReleaseSpec(
                "release", usual.version(), usual.services(), usual.bucketing(), usual.allow(), usual.rules(), plan);
    }

    private static ReleaseSpec spec(String id, String... services) {
        Match both = new Match.All(List.of(new Match.Channel("app"), new Match.Uid(Set.of("7", "中文"))));
        return new ReleaseSpec(
                id,
                "v2.1.0",
                List.of(services),
                Bucketing.of(BucketHash.FNV1A, "salt of " + id),
                Set.of("vip-1", "vip-2"),
                List.of(
                        Rule.of("beta", new Match.Header("X-Canary", "1"), Percent.HUNDRED),
                        Rule.of("app", both, Percent.parse("33.33"))),
                Plan.canary(Duration.ofMinutes(10), LIMITS));
    }
}
