package io.sluice.core.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.channel.BatchGuard.OnBreach;
import io.sluice.core.guard.Health;
import io.sluice.core.guard.Seen;
import io.sluice.core.release.Command;
import io.sluice.core.release.JournalEntry;
import io.sluice.core.release.Policy.OnHold;
import io.sluice.core.release.SampleRelease;
import io.sluice.core.rule.Renewal;
import io.sluice.testing.Requirement;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Requirement("C3")
class RollingTest {
    private static final BatchGuard GUARD = new BatchGuard(SampleRelease.LIMITS);

    private final Shop shop = new Shop();

    private void create(int batches, Check check, int perService) {
        SampleChannel.SERVICES.forEach(service -> shop.add(service, null, perService));
        shop.orchestrator.create(SampleChannel.rolling(batches, check), "alice", "");
    }

    @Test
    void sixteenInstancesGoInFourBatches() {
        create(4, Check.MANUAL, 8);
        Set<Set<String>> rested = new LinkedHashSet<>();

        shop.command(Command.START);
        while (!shop.release().phase().isOver()) {
            shop.look();
            rested.add(shop.release().resting());
        }

        rested.remove(Set.of());
        assertThat(rested).hasSize(4).allSatisfy(batch -> assertThat(batch).hasSize(4));
        assertThat(rested.stream().flatMap(Set::stream).distinct()).hasSize(16);
        assertThat(rested)
                .allSatisfy(batch -> assertThat(batch)
                        .filteredOn(name -> name.startsWith("order"))
                        .hasSize(2));
        assertThat(shop.release().phase()).isEqualTo(new ChannelPhase.Completed());
        assertThat(shop.orders)
                .extracting(Deployer.Order::key)
                .containsExactly(
                        "r1/deploy-batch-1/1", "r1/deploy-batch-2/1", "r1/deploy-batch-3/1", "r1/deploy-batch-4/1");
        assertThat(versions()).containsOnly("v2");
    }

    @Requirement("L11")
    @Test
    void theNextBatchWaitsUntilAllOthersAreThere() {
        create(4, Check.MANUAL, 4);
        shop.command(Command.START);
        shop.until("batch 1 holding");
        shop.obeys = false;
        shop.spoil(Shop.name("user", null, 3), false, true);
        shop.looks(100);
        assertThat(shop.release().phase().words()).isEqualTo("batch 1 holding");
        assertThat(shop.waiting())
                .containsExactly("user has 0 of 1 instances called user@10.0.0.3:80 ready and registered with v1:"
                        + " user@10.0.0.3:80 is not ready");

        shop.obeys = true;
        shop.until("completed");
    }

    @Requirement({"F49", "L11"})
    @Test
    void aStartTakesNobodyOutWhileAnotherCannotBeFound() {
        create(2, Check.MANUAL, 2);
        shop.obeys = false;
        shop.spoil(Shop.name("user", null, 2), true, false);

        assertThatThrownBy(() -> shop.command(Command.START))
                .hasMessage("cannot start release r1: user has 0 of 1 instances called user@10.0.0.2:80 ready and"
                        + " registered with v1: user@10.0.0.2:80 is not registered");
    }

    @Test
    void anAbortRestoresWhatIsOutAndLeavesTheRest() {
        create(2, new Check(URI.create("http://127.0.0.1/health")), 2);
        shop.answer = new Verification.Answer(false, "503");
        shop.command(Command.START);
        shop.until("batch 1 verifying").looks(20);
        assertThat(shop.waiting()).containsExactly("the check to succeed: 503");

        shop.command(Command.ABORT);
        shop.until("aborted");

        assertThat(versions()).containsOnly("v1");
        assertThat(shop.orders)
                .extracting(Deployer.Order::key)
                .containsExactly("r1/deploy-batch-1/1", "r1/restore-batch-1/1");
    }

    @Test
    void aServiceThatWouldBeGoneIsRefused() {
        create(3, Check.MANUAL, 1);

        assertThatThrownBy(() -> shop.command(Command.START))
                .hasMessageContaining("order was 1 instances, but must have two or more")
                .hasMessageContaining("batches was 3, but must be within 2..2");
    }

    @Test
    void whereNobodyRunsOnlyThatIsSaid() {
        create(3, Check.MANUAL, 0);

        assertThatThrownBy(() -> shop.command(Command.START))
                .hasMessageContaining("order was 0 instances, but must have two or more")
                .hasMessageNotContaining("batches was")
                .hasMessageNotContaining("version was");
    }

    @Requirement("F28")
    @Test
    void eachBatchIsJudgedByEvidenceOfItsOwn() {
        watched(2, GUARD, 2);

        shop.command(Command.START);
        shop.until("completed");

        assertThat(shop.judged)
                .containsExactly(
                        "batch 1 opening by step 2 of order and user",
                        "batch 1 holding by step 2 of order and user",
                        "batch 2 draining by step 3 of order and user",
                        "batch 2 deploying by step 3 of order and user",
                        "batch 2 opening by step 4 of order and user",
                        "batch 2 holding by step 4 of order and user");
        assertThat(versions()).containsOnly("v2");
    }

    @Test
    void processesAreToldWhatToCountWhileItLives() {
        watched(2, GUARD, 2);
        assertThat(shop.release().renewal()).isEmpty();

        shop.command(Command.START);
        shop.until("batch 1 holding");
        Duration limit = SampleRelease.LIMITS.maxP99();

        assertThat(shop.release().renewal()).hasValue(new Renewal("r1", "v2", 2, limit, limit));
        assertThat(shop.release().renewedPercent()).hasToString("50%");
        shop.until("completed");
        assertThat(shop.release().renewal()).isEmpty();
    }

    @Test
    void nothingIsJudgedWithoutAGuard() {
        create(2, Check.MANUAL, 2);
        shop.evidence.replaceAll((service, seen) -> Shop.BAD);

        shop.command(Command.START);
        shop.until("batch 1 holding");
        assertThat(shop.release().renewal()).isEmpty();
        shop.until("completed");

        assertThat(shop.judged).isEmpty();
    }

    @Requirement({"B7", "F26"})
    @ParameterizedTest(name = "user: {0}")
    @CsvSource({"FEW, insufficient_samples", "NONE, no_data"})
    void aBatchIsNotLeftBeforeItsVerdictIsHealthy(String seen, String reason) {
        watched(2, GUARD, 2);
        shop.evidence.put("user", seen.equals("FEW") ? Shop.FEW : Seen.NOTHING);
        shop.command(Command.START);

        shop.until("batch 1 holding").looks(100);

        assertThat(shop.release().phase().words()).isEqualTo("batch 1 holding");
        assertThat(shop.waiting()).containsExactly("a healthy verdict: user: " + reason);
        shop.evidence.put("user", Shop.GOOD);
        shop.until("completed");
    }

    @Requirement("F26")
    @Test
    void tooLongAHoldPausesAndResumingGivesTheWholeLimitAgain() {
        watched(2, new BatchGuard(SampleRelease.LIMITS, OnBreach.ABORT, Duration.ofSeconds(10), OnHold.PAUSE), 2);
        shop.evidence.put("user", Shop.FEW);
        shop.command(Command.START);

        shop.until("paused batch 1 holding");
        assertThat(shop.lastEntry().actor()).isEqualTo(JournalEntry.GUARD);
        assertThat(shop.lastEntry().why()).isEqualTo("on hold for 10s: user: insufficient_samples");

        shop.command(Command.RESUME);
        shop.looks(18);
        assertThat(shop.release().phase().words()).isEqualTo("batch 1 holding");
        shop.until("paused batch 1 holding");
    }

    @Requirement("F26")
    @Test
    void tooLongAHoldAbortsWhereThatIsSaid() {
        watched(2, new BatchGuard(SampleRelease.LIMITS, OnBreach.PAUSE, Duration.ofSeconds(10), OnHold.ABORT), 2);
        shop.evidence.put("user", Shop.FEW);

        shop.command(Command.START);
        shop.until("aborted");

        assertThat(versions()).containsOnly("v1");
    }

    @Requirement("B9")
    @ParameterizedTest
    @ValueSource(strings = {"batch 1 opening", "batch 1 holding", "paused batch 1 holding"})
    void aBreachTakesTheBatchOutAndGivesItsOldVersionBack(String words) {
        watched(2, GUARD, 2);
        shop.command(Command.START);
        shop.until(words.replace("paused ", ""));
        if (words.startsWith("paused")) {
            shop.command(Command.PAUSE);
        }

        shop.evidence.put("user", Shop.BAD);
        shop.look();

        assertThat(shop.lastEntry().actor() + " " + shop.lastEntry().action()).isEqualTo("guard abort");
        assertThat(shop.lastEntry().verdict().health()).isEqualTo(Health.BREACH);
        assertThat(shop.release().resting()).hasSize(2);
        shop.until("aborted");
        assertThat(shop.phases)
                .endsWith(
                        "restoring, batch 1 draining",
                        "restoring, batch 1 deploying",
                        "restoring, batch 1 opening",
                        "aborted");
        assertThat(versions()).containsOnly("v1");
        assertThat(shop.orders)
                .extracting(Deployer.Order::key)
                .containsExactly("r1/deploy-batch-1/1", "r1/restore-batch-1/1");
        assertThat(shop.release().phase()).isEqualTo(new ChannelPhase.Aborted("user: error_rate=0.0600>0.0200"));
    }

    @Requirement("B9")
    @ParameterizedTest
    @ValueSource(strings = {"draining", "deploying", "opening", "holding"})
    void batchesThatAreDoneStayAndTheReasonSaysHowMany(String part) {
        watched(4, GUARD, 8);
        shop.command(Command.START);
        shop.until("batch 2 " + part);

        shop.evidence.put("user", Shop.BAD);
        shop.until("aborted");

        assertThat(versions()).filteredOn("v2"::equals).hasSize(4);
        assertThat(shop.release().phase())
                .isEqualTo(new ChannelPhase.Aborted("4 of 16 instances stay on v2: user: error_rate=0.0600>0.0200"));
        assertThat(shop.orders).extracting(Deployer.Order::key).noneMatch(key -> key.contains("batch-3"));
    }

    @Requirement("B9")
    @Test
    void aBreachOnlyPausesWhereThatIsSaid() {
        watched(4, new BatchGuard(SampleRelease.LIMITS, OnBreach.PAUSE, Duration.ofSeconds(10), OnHold.PAUSE), 8);
        shop.command(Command.START);
        shop.until("batch 2 draining");
        shop.evidence.put("user", Shop.BAD);

        shop.looks(20);

        assertThat(shop.release().phase().words()).isEqualTo("paused batch 2 draining");
        assertThat(shop.waiting()).containsExactly("somebody to resume it: user: error_rate=0.0600>0.0200");
        assertThat(shop.orders).hasSize(1);
        long pauses = shop.journal().stream()
                .filter(line -> line.startsWith("guard pause"))
                .count();
        assertThat(pauses).isEqualTo(1);
    }

    @Requirement({"F49", "F23"})
    @Test
    void aBatchIsNotTakenBackWhileNobodyWouldBeLeft() {
        watched(2, GUARD, 2);
        shop.command(Command.START);
        shop.until("batch 1 holding");
        shop.obeys = false;
        shop.spoil(Shop.name("user", null, 2), false, true);

        assertThatThrownBy(() -> shop.command(Command.ABORT))
                .hasMessageStartingWith("NO_WAY_BACK: user has 0 of 1 instances called user@10.0.0.2:80");
        shop.evidence.put("user", Shop.BAD);
        shop.looks(5);
        assertThat(shop.release().phase().words()).isEqualTo("paused batch 1 holding");
        assertThat(shop.release().resting()).isEmpty();

        shop.obeys = true;
        shop.until("aborted");
        assertThat(versions()).containsOnly("v1");
    }

    @Test
    void onlyServicesThatServeTheNewVersionAreJudged() {
        watched(4, GUARD, 2);
        shop.evidence.remove("user");
        shop.command(Command.START);

        shop.until("batch 3 holding").looks(20);

        assertThat(shop.judged).contains("batch 1 holding by step 2 of order");
        assertThat(shop.release().phase().words()).isEqualTo("batch 3 holding");
        assertThat(shop.waiting()).containsExactly("a healthy verdict: user: no_data");
    }

    @Test
    void anAbortOfABatchInTheTrafficRestoresIt() {
        create(2, Check.MANUAL, 2);
        shop.command(Command.START);
        shop.until("batch 2 holding");

        ChannelRelease aborted = shop.command(Command.ABORT);

        assertThat(aborted.phase().words()).isEqualTo("restoring, batch 2 draining");
        assertThat(((ChannelPhase.Restoring) aborted.phase()).why()).isEqualTo("2 of 4 instances stay on v2: because");
        shop.until("aborted");
        assertThat(versions()).containsExactlyInAnyOrder("v1", "v1", "v2", "v2");
    }

    private void watched(int batches, BatchGuard guard, int perService) {
        SampleChannel.SERVICES.forEach(service -> shop.add(service, null, perService));
        shop.orchestrator.create(SampleChannel.rolling(batches, guard), "alice", "");
    }

    private List<String> versions() {
        return shop.processes.values().stream()
                .filter(process -> SampleChannel.SERVICES.contains(process.service()))
                .map(Workload::version)
                .toList();
    }
}
