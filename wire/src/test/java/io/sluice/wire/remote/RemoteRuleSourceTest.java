package io.sluice.wire.remote;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.core.decision.Lane;
import io.sluice.core.identity.Identity;
import io.sluice.core.identity.RequestView;
import io.sluice.core.problem.Problem;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.rule.RuleState;
import io.sluice.testing.Line;
import io.sluice.testing.Requirement;
import io.sluice.testing.SettableClock;
import io.sluice.wire.RuleSetJson;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Requirement({"D1", "D5"})
@Timeout(120)
class RemoteRuleSourceTest {
    private static final RuleSet R7 = Rules.at(7, 10);
    private static final RuleSet R8 = Rules.at(8, 25);
    private static final RuleSet R9 = Rules.at(9, 50);
    private static final Duration NEVER = Duration.ofHours(1);

    @TempDir
    Path temp;

    private final SettableClock clock = SettableClock.create();
    private FakeServer server;
    private RemoteRuleSource source;

    @BeforeEach
    void startServer() {
        server = FakeServer.of(R7);
    }

    @AfterEach
    void stop() {
        source.close();
        server.close();
    }

    @Test
    void rulesAreThereWhenStartReturns() {
        source = settings().start();

        assertThat(source.current()).isEqualTo(R7);
        assertThat(source.state()).isEqualTo(RuleState.FRESH);
    }

    @Test
    @Requirement("D6")
    void changeArrivesByTheStreamAndListenersHearEachOnce() {
        server.isBeating = false;
        source = settings().start();
        List<Long> heard = new CopyOnWriteArrayList<>();
        source.subscribe(rules -> heard.add(rules.revision()));
        awaitStream();

        server.publish(R8);
        server.publish(R9);

        // Who listens is told after the source has them.
        await().until(() -> heard.contains(9L));
        assertThat(source.current()).isEqualTo(R9);
        assertThat(heard).containsExactly(7L, 8L, 9L);
        assertThat(server.reads).hasValue(1);
    }

    @Test
    void tokenIsShownWithEveryRequest() {
        source = settings().token("secret").start();
        awaitStream();

        assertThat(server.authorizations).hasSizeGreaterThan(1).containsOnly("Bearer secret");
    }

    @Test
    @Requirement("F9")
    void eventThatTheStreamSwallowedIsHealedByTheReread() {
        server.isBeating = false;
        source = settings().rereadEvery(Duration.ofMillis(100)).start();
        awaitStream();

        server.isDeliveringRules = false;
        server.publish(R8);

        await().until(() -> source.current().equals(R8));
    }

    @Test
    @Requirement("F9")
    void eventThatTheStreamSwallowedIsHealedByTheNextBeat() {
        source = settings().start();
        awaitStream();

        server.isDeliveringRules = false;
        server.publish(R8);

        await().until(() -> source.current().equals(R8));
    }

    @Test
    void streamThatWasCutIsOpenedAnewWithTheNewestRules() {
        source = settings().start();
        awaitStream();

        server.isDeliveringRules = false;
        server.isBeating = false;
        server.publish(R8);
        server.isDeliveringRules = true;
        server.cutStreams();

        await().until(() -> source.current().equals(R8));
        await().until(() -> source.streamsOpened() >= 2);
    }

    @Test
    @Requirement("F8")
    void silentStreamIsOpenedAnew() {
        source = settings().deadAfter(Duration.ofMillis(100)).start();
        awaitStream();

        server.isSilent = true;
        server.publish(R8);

        await().until(() -> source.current().equals(R8));
        await().until(() -> source.streamsOpened() >= 2);
        server.isSilent = false;
        await().until(() -> server.openStreams() == 1);
    }

    @Test
    @Requirement("F5")
    void olderRulesAfterNewerOnesAreIgnoredAndCounted() {
        source = settings().start();
        awaitStream();

        server.publish(R9);
        server.push(RuleSetJson.write(R8));

        await().until(() -> source.olderDocuments() == 1);
        assertThat(source.current()).isEqualTo(R9);
    }

    @Test
    @Requirement("F5")
    void sameRevisionWithAnotherContentIsAnAlarmAndNoUpdate() {
        source = settings().start();
        awaitStream();

        server.push(RuleSetJson.write(Rules.at(7, 99)));

        await().until(() -> source.conflicts() == 1);
        assertThat(source.current()).isEqualTo(R7);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "{}",
                "garbage",
                "{\"format\":2,\"epoch\":9,\"revision\":9,\"releases\":[]}",
                "{\"format\":1,\"epoch\":1,\"revision\":9223372036854775807,\"releases\":[]}",
                "{\"format\":1,\"epoch\":1,\"revision\":18446744073709551615,\"releases\":[]}",
                "{\"format\":1,\"epoch\":1,\"revision\":8,\"releases\":[{\"id\":\"r\"}]}"
            })
    @Requirement({"F7", "F11"})
    void documentThatCannotBeUsedIsRefusedWholeAndLaterOnesApply(String json) {
        source = settings().start();
        awaitStream();

        server.push(json.getBytes(UTF_8));
        await().until(() -> source.refusedDocuments() == 1);

        assertThat(source.current()).isEqualTo(R7);
        await().until(() -> !source.lastRefusal().isEmpty());
        server.publish(R8);
        await().until(() -> source.current().equals(R8));
    }

    @Test
    void endlessEventIsRefusedAndTheStreamOpenedAnew() {
        source = settings().start();
        awaitStream();

        server.push("x".repeat(2_000_000).getBytes(UTF_8));
        await().until(() -> source.refusedDocuments() == 1);
        await().until(() -> source.streamsOpened() >= 2);

        assertThat(source.lastRefusal()).extracting(Problem::path).containsExactly("event");
        assertThat(source.current()).isEqualTo(R7);
    }

    @ParameterizedTest(name = "status {0}, body \"{1}\"")
    @CsvSource({"404,''", "403,''", "401,''", "500,''", "503,''", "204,''", "200,''", "200,{}", "200,null", "200,[]"})
    @Requirement("F11")
    void absenceIsNoRuleSet(int status, String body) {
        source = settings().rereadEvery(Duration.ofMillis(50)).start();

        server.revision = "1.8";
        server.document = body.getBytes(UTF_8);
        server.readStatus = status;

        await().until(() -> source.failedReads() + source.refusedDocuments() >= 2);
        assertThat(source.current()).isEqualTo(R7);
    }

    @Test
    void answerOf50MegabytesIsNotHeld() {
        source = settings().rereadEvery(Duration.ofMillis(50)).start();

        server.revision = "1.8";
        server.isBeating = false;
        server.document = new byte[50_000_000];

        await().until(() -> source.failedReads() >= 1);
        assertThat(source.current()).isEqualTo(R7);
    }

    @Test
    @Requirement("F1")
    void serverThatDiesLeavesTheRulesAndIsFoundAgain() {
        source = settings().rereadEvery(Duration.ofMillis(100)).start();
        awaitStream();

        server.stop();
        await().until(() -> source.failedReads() >= 2);
        clock.advance(Duration.ofSeconds(15));

        assertThat(source.current()).isEqualTo(R7);
        assertThat(source.state()).isEqualTo(RuleState.STALE);
        server.document = RuleSetJson.write(R8);
        server.revision = "1.8";
        server.start();
        await().until(() -> source.current().equals(R8) && source.state() == RuleState.FRESH);
    }

    @Test
    @Requirement({"F22", "F45"})
    void serverThatRefusesConnectionsIsAskedWithoutBackingOffAndFollowedOnceItAnswers() {
        source = settings().start();
        awaitStream();
        server.stop();
        await().until(() -> source.failedReads() >= 10);
        server.publish(R8);

        server.start();

        await().until(() -> source.current().equals(R8));
        awaitStream();
    }

    @ParameterizedTest(name = "connections are answered: {0}")
    @ValueSource(booleans = {true, false})
    @Requirement({"F22", "F8"})
    void afterASilentCutNewRulesAndANewStreamComeByNewConnections(boolean areAnswered) {
        try (Line line = Line.to(server.address().getPort())) {
            source = settings(URI.create("http://127.0.0.1:" + line.port()))
                    .quietAfter(Duration.ofMillis(200))
                    .start();
            awaitStream();
            if (areAnswered) {
                line.silence();
            } else {
                line.vanish();
            }
            server.publish(R8);
            await().until(() -> source.failedReads() >= 8);
            assertThat(source.current()).isEqualTo(R7);

            line.heal();

            await().until(() -> source.current().equals(R8));
            await().until(() -> source.streamsOpened() >= 2);
            assertThat(source.state()).isEqualTo(RuleState.FRESH);
            // Before the line ends, which is no news here.
            source.close();
        }
    }

    @Test
    @Requirement("F45")
    void serverThatAnswersWithAnErrorIsLeftAloneForTheWholePause() {
        server.isBeating = false;
        source = settings()
                .quietAfter(Duration.ofMillis(100))
                .rereadEvery(Duration.ofMillis(100))
                .retryAfter(NEVER)
                .start();
        awaitStream();

        server.readStatus = 503;
        // The regular reads tell how time passes.
        await().until(() -> source.failedReads() >= 1);
        long probes = source.probes();
        await().until(() -> source.failedReads() >= 10);

        assertThat(source.probes()).isEqualTo(probes);
    }

    @Test
    @Requirement("F45")
    void streamThatTheServerEndsIsOpenedAgainAfterTheWholePause() {
        source = settings().quietAfter(Duration.ofMillis(50)).retryAfter(NEVER).start();
        awaitStream();

        server.cutStreams();

        await().until(() -> source.probes() >= 5);
        assertThat(source.streamsOpened()).isEqualTo(1);
    }

    @Test
    @Requirement("F2")
    void processThatStartsWithoutTheServerDecidesAsBefore() {
        source = settings().lastGood(temp, "order").start();
        List<Lane> before = lanes(source.current());
        source.close();
        server.stop();

        source = settings().lastGood(temp, "order").start();

        assertThat(source.state()).isEqualTo(RuleState.LAST_KNOWN_GOOD);
        assertThat(lanes(source.current())).isEqualTo(before);
        assertThat(source.current()).isEqualTo(R7);
    }

    @Test
    @Requirement("F2")
    void lastGoodRulesAreFreshOnceTheServerConfirmsThem() {
        LastGoodFile.in(temp, "order").save(R7);

        source = settings().lastGood(temp, "order").start();

        assertThat(source.state()).isEqualTo(RuleState.FRESH);
        assertThat(source.lastHeard()).contains(clock.instant());
    }

    @Test
    void lastGoodRulesThatAreOlderGiveWayToTheServers() {
        LastGoodFile.in(temp, "order").save(Rules.at(6, 5));

        source = settings().lastGood(temp, "order").start();

        assertThat(source.current()).isEqualTo(R7);
        await().until(() -> LastGoodFile.in(temp, "order").load().equals(Optional.of(R7)));
    }

    @Test
    void serverThatOnlyKnowsOlderRulesIsNotFresh() {
        LastGoodFile.in(temp, "order").save(R9);

        source = settings().lastGood(temp, "order").start();

        assertThat(source.current()).isEqualTo(R9);
        assertThat(source.state()).isEqualTo(RuleState.LAST_KNOWN_GOOD);
        assertThat(source.olderDocuments()).isPositive();
    }

    @Test
    @Requirement("F4")
    void firstStartWithoutAServerIsNotHeldUp() throws IOException {
        // Accepts connections, by its backlog, and never answers.
        try (ServerSocket mute = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            URI address = URI.create("http://127.0.0.1:" + mute.getLocalPort());
            long began = System.nanoTime();

            source = RemoteRuleSource.builder(address)
                    .startWithin(Duration.ofMillis(200))
                    .start();

            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(2));
            assertThat(source.state()).isEqualTo(RuleState.NO_RULES);
            assertThat(source.current()).isEqualTo(RuleSet.empty());
        }
    }

    @Test
    void stateGoesStaleWithoutWordAndIsFreshAgainWithTheNextBeat() {
        server.isBeating = false;
        source = settings().lastGood(temp, "order").start();
        awaitStream();
        server.publish(R8);
        await().until(() -> source.current().equals(R8));
        server.publish(R9);
        // What was heard is saved, so the time of hearing it is known by then.
        await().until(() -> LastGoodFile.in(temp, "order").load().equals(Optional.of(R9)));

        clock.advance(Duration.ofMillis(14_999));
        assertThat(source.state()).isEqualTo(RuleState.FRESH);
        clock.advance(Duration.ofMillis(1));
        assertThat(source.state()).isEqualTo(RuleState.STALE);

        server.isBeating = true;
        await().until(() -> source.state() == RuleState.FRESH);
    }

    @Test
    void closedSourceCutsItsStreamAndKeepsTheRules() {
        source = settings().start();
        awaitStream();

        source.close();
        source.close();

        await().until(() -> server.openStreams() == 0);
        assertThat(source.current()).isEqualTo(R7);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "ftp://127.0.0.1",
                "localhost:7070",
                "http:/x",
                "/path",
                "http://a:70000",
                "http://a?b",
                "http://u:p@a"
            })
    void addressThatIsNoneIsRefused(String address) {
        source = settings().build();

        assertThatThrownBy(() -> RemoteRuleSource.builder(URI.create(address)).build())
                .isInstanceOf(RefusedException.class)
                .hasMessageStartingWith("server was " + address);
    }

    @Test
    void tokenThatCannotBeSentIsRefusedWithoutBeingShown() {
        source = settings().build();

        assertThatThrownBy(() -> settings().token("se\ncret").build())
                .isInstanceOf(RefusedException.class)
                .hasMessageStartingWith("token was 7 characters, but must");
    }

    private RemoteRuleSource.Builder settings() {
        return settings(server.address());
    }

    private RemoteRuleSource.Builder settings(URI address) {
        return RemoteRuleSource.builder(address)
                .startWithin(Duration.ofSeconds(60))
                .rereadEvery(NEVER)
                .deadAfter(NEVER)
                .quietAfter(NEVER)
                .probeEvery(Duration.ofMillis(50))
                .retryAfter(Duration.ofMillis(20))
                .clock(clock);
    }

    private void awaitStream() {
        await().until(() -> server.openStreams() > 0);
    }

    private static List<Lane> lanes(RuleSet rules) {
        return IntStream.range(0, 1000)
                .mapToObj(customer -> rules.releases()
                        .get(0)
                        .decide(RequestView.empty(), Identity.ofCustomer("customer-" + customer))
                        .lane())
                .toList();
    }
}
