package io.sluice.wire.remote;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.core.observation.ServedRequests;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.rule.InMemoryRuleSource;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.rule.RuleSource;
import io.sluice.core.rule.RuleState;
import io.sluice.core.tag.Color;
import io.sluice.testing.Requirement;
import io.sluice.wire.RuleSetJson;
import io.sluice.wire.WorkloadReport;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class WorkloadReporterTest {
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final Duration NEVER = Duration.ofHours(1);
    private static final Duration PATIENT = Duration.ofSeconds(60);

    private final FakeServer server = FakeServer.started();
    private final InMemoryRuleSource rules = new InMemoryRuleSource();
    private final ServedRequests served = new ServedRequests();

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void aReportTellsHowTheProcessStands() {
        rules.offer(Rules.at(7, 10));
        served.begin();
        served.begin();
        served.end();
        served.cross();

        try (WorkloadReporter running = settings()
                .color(Color.BLUE)
                .version("v2")
                .registered(() -> false)
                .beat(NEVER)
                .start()) {
            await().until(() -> !server.workloads.isEmpty());
        }

        WorkloadReport first = server.workloads.get(0);
        assertThat(first)
                .isEqualTo(new WorkloadReport(
                        "order",
                        "order@127.0.0.1:8081",
                        Color.BLUE,
                        "v2",
                        true,
                        false,
                        2,
                        1,
                        1,
                        rules.current().epoch(),
                        7,
                        "",
                        false));
    }

    @Test
    void itReportsBeatByBeat() {
        try (WorkloadReporter running = settings().beat(SHORT).start()) {
            await().until(() -> server.workloads.size() >= 5);

            assertThat(running.failedReports()).isZero();
        }
    }

    @Test
    void newRulesAreToldWithoutWaitingForTheBeat() {
        try (WorkloadReporter running = settings().beat(NEVER).start()) {
            await().until(() -> newest(server).revision() == 0);
            rules.offer(Rules.at(8, 10));

            await().until(() -> newest(server).revision() == 8);
        }
    }

    @Test
    void newsOfItsOwnAreToldWithoutWaitingForTheBeat() {
        AtomicBoolean registered = new AtomicBoolean();
        try (WorkloadReporter running =
                settings().beat(NEVER).registered(registered::get).start()) {
            await().until(() -> !server.workloads.isEmpty());
            registered.set(true);
            running.reportSoon();

            await().until(() -> newest(server).registered());
        }
    }

    @Test
    void itsLastWordIsThatItLeaves() {
        WorkloadReporter running = settings().beat(NEVER).start();
        await().until(() -> !server.workloads.isEmpty());

        running.close();

        assertThat(newest(server).leaving()).isTrue();
        assertThat(server.workloads).filteredOn(WorkloadReport::leaving).hasSize(1);
    }

    @Test
    void aServerThatDoesNotHearIsCountedAndToldAgainAtTheNextBeat() {
        server.postStatus = 503;
        try (WorkloadReporter running = settings().beat(SHORT).start()) {
            await().until(() -> running.failedReports() >= 2);
            server.postStatus = 204;
            server.workloads.clear();
            long failed = running.failedReports();

            await().until(() -> server.workloads.size() >= 3);
            assertThat(running.failedReports()).isBetween(failed, failed + 1);
        }
    }

    @Test
    @Requirement("F22")
    void aServerThatDoesNotAnswerIsToldAgainWithoutWaitingForTheBeat() {
        server.stop();
        try (WorkloadReporter running = settings().beat(NEVER).start()) {
            await().until(() -> running.failedReports() >= 2);
            server.start();

            await().until(() -> !server.workloads.isEmpty());
        }
    }

    @Test
    void closingDoesNotWaitForAServerThatIsAway() {
        server.stop();
        WorkloadReporter running = settings().beat(SHORT).start();
        await().until(() -> running.failedReports() > 0);
        long began = System.nanoTime();

        running.close();

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));
    }

    @Test
    void whatCannotBeFoundOutDoesNotHold() {
        try (WorkloadReporter running = settings()
                .beat(NEVER)
                .ready(() -> {
                    throw new IllegalStateException("closed");
                })
                .start()) {
            await().until(() -> !server.workloads.isEmpty());
        }

        assertThat(server.workloads.get(0).ready()).isFalse();
    }

    /** Of a newer version than this process, or of somebody who wrote past the server. */
    @ParameterizedTest(name = "{1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{} | format was missing",
                "UNKNOWN_MATCH | releases[0].rules[0].match was fuzzy, but must be exactly one of uid",
                "{\"format\":2,\"epoch\":1,\"revision\":2,\"releases\":[]} | format was 2",
            })
    @Requirement("F7")
    void rulesThatCannotBeUsedAreToldUntilUsableOnesCome(String document, String why) {
        server.publish(Rules.at(1, 10));
        try (RemoteRuleSource remote =
                        RemoteRuleSource.builder(server.address()).start();
                WorkloadReporter running = WorkloadReporter.builder(
                                server.address(), remote, served, "order", "order@127.0.0.1:8081")
                        .beat(SHORT)
                        .start()) {
            server.isBeating = false;
            await().until(() -> newest(server).revision() == 1);
            server.push((document.equals("UNKNOWN_MATCH") ? unknownMatch() : document).getBytes(UTF_8));

            await().until(() -> newest(server).refusal().contains(why));
            assertThat(newest(server).revision()).isEqualTo(1);
            server.publish(Rules.at(2, 10));

            await().until(() -> newest(server).revision() == 2);
            assertThat(newest(server).refusal()).isEmpty();
        }
    }

    private static String unknownMatch() {
        return new String(RuleSetJson.write(Rules.at(2, 10)), UTF_8)
                .replace("\"rules\":[]", "\"rules\":[{\"name\":\"x\",\"match\":{\"fuzzy\":\"a\"},\"percent\":1}]");
    }

    /** The server would take a process for one that has applied rules which are not even on its disk. */
    @Test
    @Requirement("F2")
    void rulesAreToldOfOnceTheyAreSettled() {
        InMemoryRuleSource settled = new InMemoryRuleSource();
        RuleSource unsettled = new SettlingRules(rules, settled);
        try (WorkloadReporter running = WorkloadReporter.builder(
                        server.address(), unsettled, served, "order", "order@127.0.0.1:8081")
                .beat(NEVER)
                .start()) {
            rules.offer(Rules.at(7, 10));
            running.reportSoon();
            await().until(() -> !server.workloads.isEmpty());
            assertThat(newest(server).revision()).isZero();

            settled.offer(Rules.at(7, 10));

            await().until(() -> newest(server).revision() == 7);
        }
    }

    private record SettlingRules(RuleSource rules, RuleSource settled) implements RuleSource {
        @Override
        public RuleSet current() {
            return rules.current();
        }

        @Override
        public RuleState state() {
            return rules.state();
        }

        @Override
        public Subscription subscribe(Consumer<RuleSet> listener) {
            return rules.subscribe(listener);
        }

        @Override
        public void close() {
            rules.close();
        }
    }

    @Test
    void namesThatAreNoneAreRefusedAllAtOnce() {
        assertThatThrownBy(() -> WorkloadReporter.builder(server.address(), rules, served, "", "a b")
                        .version("?")
                        .build())
                .isInstanceOf(RefusedException.class)
                .hasMessageContainingAll("service was empty", "instance was a b", "version was ?");
    }

    private WorkloadReporter.Builder settings() {
        return WorkloadReporter.builder(server.address(), rules, served, "order", "order@127.0.0.1:8081")
                .answerWithin(PATIENT);
    }

    /** The newest report; one of rules that nobody has before there is any. */
    private static WorkloadReport newest(FakeServer server) {
        int last = server.workloads.size() - 1;
        return last < 0
                ? new WorkloadReport("order", "none", null, "stable", true, false, 0, 0, 0, 0, 99, "", false)
                : server.workloads.get(last);
    }
}
