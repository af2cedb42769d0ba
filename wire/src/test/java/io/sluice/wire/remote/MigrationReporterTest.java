package io.sluice.wire.remote;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.core.problem.RefusedException;
import io.sluice.migration.evidence.CountedDay;
import io.sluice.migration.evidence.Counts;
import io.sluice.migration.evidence.EvidenceCounters;
import io.sluice.migration.plan.Directive;
import io.sluice.migration.plan.Pace;
import io.sluice.migration.plan.Plan;
import io.sluice.migration.plan.PlanSource;
import io.sluice.migration.plan.Side;
import io.sluice.testing.Requirement;
import io.sluice.testing.SettableClock;
import io.sluice.wire.migration.DirectiveJson;
import io.sluice.wire.migration.EvidenceReport;
import io.sluice.wire.migration.MoveProgress;
import io.sluice.wire.migration.ReportedDifference;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Requirement("F75")
@Timeout(20)
class MigrationReporterTest {
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final Duration NEVER = Duration.ofHours(1);
    private static final Plan PLAN = new Plan("inventory", 3, 20, Set.of(), Set.of());
    private static final PlanSource PLANS = new PlanSource() {
        @Override
        public Plan current() {
            return PLAN;
        }

        @Override
        public Plan refresh() {
            return PLAN;
        }
    };

    private final FakeServer server = FakeServer.started();
    private final SettableClock clock = SettableClock.create();
    private final EvidenceCounters counters = new EvidenceCounters(clock);
    private final List<Directive> directives = new CopyOnWriteArrayList<>();

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void aReportTellsWhatWasCountedAndHowFarItIs() {
        counters.succeeded(Side.NEW);
        counters.fellBack();
        MoveProgress progress = new MoveProgress(70, 30, 1, 2, 500, OptionalLong.of(9), MoveProgress.State.MOVING);

        try (MigrationReporter running = settings()
                .beat(NEVER)
                .token("secret")
                .progress(() -> Optional.of(progress))
                .differences(() -> List.of(difference("d-1")))
                .start()) {
            await().until(() -> !server.evidence.isEmpty());
        }

        assertThat(server.migrationPaths.get(0)).isEqualTo("/api/v1/migrations/inventory/reports");
        assertThat(server.authorizations.get(0)).isEqualTo("Bearer secret");
        assertThat(server.evidence.get(0))
                .isEqualTo(new EvidenceReport(
                        "inventory@127.0.0.1:1-1",
                        3,
                        0,
                        List.of(new CountedDay(
                                LocalDate.parse("2026-10-01"),
                                clock.instant(),
                                clock.instant(),
                                Duration.ZERO,
                                new Counts(1, 0, 1, 0, 0, 0, 0, 0))),
                        Optional.of(progress),
                        List.of(difference("d-1"))));
    }

    @Test
    void aDirectiveIsHandedOnOnceAndTheNextOneToo() {
        Directive first = Directive.start("inventory");
        Directive paused = first.with(new Pace(100, true));
        try (MigrationReporter running = settings().start()) {
            await().until(() -> server.evidence.size() >= 3);
            server.directive = DirectiveJson.write(paused);
            await().until(() -> directives.size() == 2);
            int told = server.evidence.size();
            await().until(() -> server.evidence.size() >= told + 3);

            assertThat(directives).containsExactly(first, paused);
            assertThat(server.evidence.get(server.evidence.size() - 1).directiveVersion())
                    .isEqualTo(2);
        }
    }

    @Test
    void aDirectiveThatWasNotTakenIsGivenAgain() {
        AtomicBoolean isDown = new AtomicBoolean(true);
        try (MigrationReporter running = settings()
                .directives(directive -> {
                    if (isDown.getAndSet(false)) {
                        throw new IllegalStateException("no database");
                    }
                    directives.add(directive);
                })
                .start()) {
            await().until(() -> directives.size() == 1);
            assertThat(running.failedReports()).isEqualTo(1);
        }
    }

    @Test
    void aDirectiveOfTenThousandKeysIsRead() {
        List<String> keys = IntStream.range(0, Plan.LONGEST_LIST)
                .mapToObj(i -> i + "漢".repeat(250))
                .toList();
        Directive large = Directive.start("inventory").with(Plan.of("inventory", 2, 0, keys, List.of()));
        server.directive = DirectiveJson.write(large);

        try (MigrationReporter running =
                settings().answerWithin(Duration.ofSeconds(10)).start()) {
            await().until(() -> directives.equals(List.of(large)));
        }
    }

    @ParameterizedTest(name = "status {0}")
    @ValueSource(ints = {503, 500, 404, 401, 400, 301, 0})
    void whatWasNotConfirmedIsToldAgain(int status) {
        server.migrationStatus = status;
        counters.succeeded(Side.NEW);
        try (MigrationReporter running = settings().start()) {
            await().until(() -> running.failedReports() >= 2);
            clock.advance(Duration.ofDays(1));
            counters.succeeded(Side.NEW);
            await().until(() -> running.failedReports() >= 4);
            server.evidence.clear();
            server.migrationStatus = 200;

            await().until(() -> keptSuccesses().equals(Map.of("2026-10-01", 1L, "2026-10-02", 1L)));
            await().untilAsserted(() -> assertThat(directives).hasSize(1));
        }
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "<html>Sign in to the network</html>",
                "",
                "{}",
                "{\"version\":1}",
                "{\"version\":1,\"plan\":{\"migration\":\"other\",\"revision\":1,\"newPercent\":0,\"alsoNew\":[],"
                        + "\"heldBack\":[]},\"pace\":{\"keysPerSecond\":1,\"paused\":false}}"
            })
    void anAnswerThatIsNoDirectiveOfThisMigrationConfirmsNothing(String answer) {
        server.directive = answer.getBytes(UTF_8);
        counters.succeeded(Side.NEW);
        try (MigrationReporter running = settings().start()) {
            await().until(() -> running.failedReports() >= 2);

            assertThat(counters.unreported()).isNotEmpty();
            assertThat(directives).isEmpty();
        }
    }

    @Test
    void aServerThatHasNothingNewToSayConfirmsToo() {
        server.migrationStatus = 204;
        counters.succeeded(Side.NEW);
        try (MigrationReporter running = settings().start()) {
            await().until(() -> counters.unreported().isEmpty());

            assertThat(running.failedReports()).isZero();
            assertThat(directives).isEmpty();
        }
    }

    @Test
    void differencesAreToldUntilTheyAreConfirmed() {
        server.migrationStatus = 503;
        List<ReportedDifference> known = new CopyOnWriteArrayList<>(List.of(difference("d-1")));
        try (MigrationReporter running = settings().differences(() -> known).start()) {
            await().until(() -> running.failedReports() >= 2);
            server.migrationStatus = 200;
            await().until(() -> server.evidence.size() >= 3);
            known.add(difference("d-2"));
            int told = server.evidence.size();
            await().until(() -> server.evidence.size() >= told + 3);
        }

        assertThat(server.evidence.stream()
                        .flatMap(report -> report.differences().stream())
                        .map(ReportedDifference::id))
                .containsExactly("d-1", "d-2");
    }

    @Test
    void manyDifferencesAreToldBitByBit() {
        List<ReportedDifference> known = IntStream.range(0, 2 * EvidenceReport.MOST_DIFFERENCES + 1)
                .mapToObj(i -> difference("d-" + i))
                .toList();
        try (MigrationReporter running = settings().differences(() -> known).start()) {
            await().until(() -> server.evidence.size() >= 4);
        }

        assertThat(server.evidence.stream().flatMap(report -> report.differences().stream()))
                .containsExactlyElementsOf(known);
    }

    @Test
    void whatCannotBeFoundOutIsLeftOut() {
        try (MigrationReporter running = settings()
                .progress(() -> {
                    throw new IllegalStateException("no database");
                })
                .differences(() -> {
                    throw new IllegalStateException("closed");
                })
                .start()) {
            await().until(() -> !server.evidence.isEmpty());
        }

        assertThat(server.evidence.get(0).progress()).isEmpty();
        assertThat(server.evidence.get(0).differences()).isEmpty();
    }

    @Test
    void itsLastWordIsEverythingThatWasCounted() {
        MigrationReporter running = settings().beat(NEVER).start();
        await().until(() -> !directives.isEmpty());
        counters.succeeded(Side.NEW);

        running.close();

        assertThat(keptSuccesses()).isEqualTo(Map.of("2026-10-01", 1L));
    }

    @Test
    void closingDoesNotWaitForAServerThatIsAway() {
        server.stop();
        MigrationReporter running = settings().start();
        await().until(() -> running.failedReports() > 0);
        long began = System.nanoTime();

        running.close();

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofMillis(1500));
    }

    @Test
    void noCountIsLostOrCountedTwiceWhateverTheServerDoes() {
        Random random = new Random(75);
        int[] moods = {200, 200, 204, 503, 0};
        int successes = 0;
        try (MigrationReporter running = settings().beat(Duration.ofMillis(1)).start()) {
            for (int i = 0; i < 40; i++) {
                server.migrationStatus = moods[random.nextInt(moods.length)];
                server.directive = random.nextInt(4) == 0
                        ? "garbage".getBytes(UTF_8)
                        : DirectiveJson.write(Directive.start("inventory"));
                int few = random.nextInt(50);
                IntStream.range(0, few).forEach(n -> counters.succeeded(Side.NEW));
                successes += few;
                clock.advance(Duration.ofHours(random.nextInt(30) - 3L));
                int asked = server.migrationPaths.size();
                await().pollInterval(Duration.ofMillis(1)).until(() -> server.migrationPaths.size() > asked);
            }
            server.migrationStatus = 200;
            server.directive = DirectiveJson.write(Directive.start("inventory"));
            await().until(() -> counters.unreported().isEmpty());
        }

        assertThat(keptSuccesses().values().stream().mapToLong(n -> n).sum()).isEqualTo(successes);
    }

    @Test
    void whatIsWrongWithTheSettingsIsToldTogether() {
        assertThatThrownBy(() -> MigrationReporter.builder(URI.create("ftp://x"), PLANS, counters, "a b")
                        .token("a b")
                        .build())
                .isInstanceOf(RefusedException.class)
                .hasMessageContainingAll("reporter was a b", "server was ftp://x", "token was 3 characters");
    }

    /** What a server that keeps the last word of each day knows. */
    private Map<String, Long> keptSuccesses() {
        Map<String, Long> kept = new TreeMap<>();
        server.evidence.forEach(report -> report.days()
                .forEach(day -> kept.put(day.date().toString(), day.counts().newSuccesses())));
        return kept;
    }

    private MigrationReporter.Builder settings() {
        return MigrationReporter.builder(server.address(), PLANS, counters, "inventory@127.0.0.1:1-1")
                .beat(SHORT)
                .directives(directives::add);
    }

    private static ReportedDifference difference(String id) {
        return new ReportedDifference(
                id, "sku-1", "available", 7, Side.LEGACY, "7", "5", Instant.parse("2026-11-30T08:00:00.123456Z"));
    }
}
