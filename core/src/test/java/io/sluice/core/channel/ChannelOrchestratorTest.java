package io.sluice.core.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.decision.Percent;
import io.sluice.core.guard.Health;
import io.sluice.core.release.Command;
import io.sluice.core.release.CommandRefusedException;
import io.sluice.core.release.Expected;
import io.sluice.core.release.Policy;
import io.sluice.core.release.SampleRelease;
import io.sluice.core.tag.Color;
import io.sluice.testing.Requirement;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChannelOrchestratorTest {
    private static final Check URL = new Check(URI.create("http://127.0.0.1/health"));
    private static final String BLUE_1 = Shop.name("order", Color.BLUE, 1);
    private static final String GREEN_1 = Shop.name("user", Color.GREEN, 1);
    private static final String GREEN_2 = Shop.name("user", Color.GREEN, 2);

    private final Shop shop = Shop.of(SampleChannel.spec(Policy.DEFAULT, URL, Map.of()));

    @Requirement("C4")
    @Test
    void aHealthyReleaseGoesAllTheWay() {
        shop.start().until("completed");

        assertThat(shop.phases)
                .containsExactly(
                        "draining blue",
                        "draining blue, leaving",
                        "deploying blue",
                        "verifying blue",
                        "opening blue",
                        "admitting blue",
                        "confirming",
                        "draining green",
                        "draining green, leaving",
                        "deploying green",
                        "verifying green",
                        "opening green",
                        "admitting green",
                        "completed");
        assertThat(shop.orders)
                .extracting(Deployer.Order::key)
                .containsExactly("r1/deploy-blue/1", "r1/deploy-green/1");
        assertThat(shop.processes.values())
                .filteredOn(process -> process.color() != null)
                .allSatisfy(process -> assertThat(process.version()).isEqualTo("v2"));
        assertThat(shop.channel().bluePercent()).isEqualTo(Percent.of(50));
        assertThat(shop.journal())
                .startsWith("alice create: draft 50%", "alice start: draining blue 0%")
                .contains(
                        "orchestrator advance: admitting blue 10%",
                        "orchestrator advance: admitting blue 100%",
                        "orchestrator advance: deploying green 100%",
                        "orchestrator advance: admitting green 75%")
                .endsWith("orchestrator complete: completed 50%");
    }

    @Requirement("C4")
    @Test
    void aHumanSaysWhatNoCheckSays() {
        Shop manual =
                Shop.of(SampleChannel.spec()).start().until("verifying blue").looks(100);
        assertThat(manual.waiting()).containsExactly("promote, when blue is found well");

        manual.command(Command.PROMOTE);
        manual.until("confirming").looks(100);
        assertThat(manual.waiting()).containsExactly("promote, to deploy green: from then on there is no way back");

        assertThatThrownBy(() -> manual.orchestrator.command("r1", Command.PROMOTE, "bob", "on", Expected.anything()))
                .isInstanceOf(CommandRefusedException.class)
                .hasMessageContaining("no way back; name the phase");
        Expected late = new Expected(null, "admitting");
        assertThatThrownBy(() -> manual.orchestrator.command("r1", Command.PROMOTE, "bob", "on", late))
                .isInstanceOf(CommandRefusedException.class)
                .hasMessageContaining("it is confirming now");

        manual.command(Command.PROMOTE);
        manual.until("completed");
        assertThat(manual.phases).doesNotContain("verifying green");
    }

    @Requirement({"C4", "C8"})
    @ParameterizedTest
    @ValueSource(
            strings = {
                "draining blue", "draining blue, leaving", "deploying blue", "verifying blue", "opening blue",
                "admitting blue", "confirming", "draining green", "draining green, leaving", "deploying green",
                "opening green", "admitting green"
            })
    void everyPhaseCanBePausedAndGoesOn(String words) {
        shop.start().until(words);

        shop.command(Command.PAUSE);
        shop.looks(200);
        assertThat(shop.release().phase().words()).isEqualTo("paused " + words);

        shop.command(Command.RESUME);
        shop.until("completed");
    }

    @Requirement({"L10", "L12"})
    @Test
    void aSideIsDrainedWhenItIsSeenToBeSilent() {
        shop.start().until("draining blue, leaving");
        shop.obeys = false;
        shop.processes.keySet().forEach(name -> shop.busy(name, 5, 0));
        for (int i = 0; i < 40; i++) {
            shop.busy(BLUE_1, 5 + i, 0);
            shop.look();
        }
        assertThat(shop.waiting()).containsExactly(BLUE_1 + " has been silent for less than 2s");

        shop.busy(BLUE_1, 45, 1);
        shop.looks(20);
        assertThat(shop.waiting()).containsExactly(BLUE_1 + " serves 1 request");

        shop.busy(BLUE_1, 45, 0);
        shop.looks(4);
        assertThat(shop.release().phase().words()).isEqualTo("draining blue, leaving");
        shop.looks(1);
        assertThat(shop.release().phase().words()).isEqualTo("deploying blue");
    }

    @Requirement("L10")
    @Test
    void whoDoesNotReportIsNotSilent() {
        shop.start().until("draining blue, leaving");
        shop.obeys = false;
        for (int i = 0; i < 19; i++) {
            Duration since = Duration.ofMillis(500 * i);
            shop.processes.keySet().forEach(name -> shop.unheard(name, since));
            shop.look();
        }
        assertThat(shop.release().phase().words()).isEqualTo("draining blue, leaving");
        assertThat(shop.waiting()).contains(BLUE_1 + " has been silent for less than 2s");

        shop.processes.keySet().forEach(name -> shop.unheard(name, Duration.ZERO));
        shop.look();
        assertThat(shop.release().phase().words()).isEqualTo("deploying blue");
    }

    @Requirement({"F23", "L11"})
    @Test
    void oneOfAnotherVersionIsInTheWayOfMoreShareButOfNoAbort() {
        shop.start().until("admitting blue");
        shop.add("order", Color.BLUE, 3);
        shop.run(new Deployer.Target("order", Color.BLUE, "v2", 2, List.of(BLUE_1, Shop.name("order", Color.BLUE, 2))));
        shop.looks(100);
        assertThat(shop.release().bluePercent()).isEqualTo(Percent.of(10));
        String stray = Shop.name("order", Color.BLUE, 3);
        assertThat(shop.waiting()).anySatisfy(each -> assertThat(each).contains(stray + " runs v1"));

        shop.processes.remove(stray);
        shop.add("order", Color.GREEN, 3);
        shop.run(new Deployer.Target("order", null, "v2", 1, List.of(Shop.name("order", Color.GREEN, 3))));
        shop.command(Command.ABORT);
        assertThat(shop.release().phase()).isInstanceOf(ChannelPhase.Returned.class);
    }

    @Requirement("L10")
    @Test
    void afterARestartSilenceIsMeasuredAnew() {
        shop.start().until("draining blue, leaving").looks(3);

        shop.restart();
        shop.looks(4);
        assertThat(shop.release().phase().words()).isEqualTo("draining blue, leaving");
        shop.looks(1);
        assertThat(shop.release().phase().words()).isEqualTo("deploying blue");
    }

    @Requirement({"F49", "F22"})
    @Test
    void whoIsCutOffIsWaitedForByNameUntilAnOperatorGoesPast() {
        shop.start().looks(1);
        shop.obeys = false;
        shop.processes.keySet().forEach(name -> shop.spoil(name, true, true));
        shop.cutOff("gateway@10.0.0.1:80");
        shop.looks(100);
        assertThat(shop.waiting())
                .containsExactly(
                        "1 of 9 processes is not known to have applied 0.3: gateway@10.0.0.1:80 (not heard of for 12s)");

        shop.command(Command.PROMOTE);

        assertThat(shop.release().phase().words()).isEqualTo("draining blue, leaving");
        assertThat(shop.lastEntry().why()).startsWith("because (without waiting for: 1 of 9 processes");
    }

    @Requirement({"L11", "F49"})
    @Test
    void aSideGetsNoShareBeforeAllOfItIsThere() {
        shop.start().until("opening blue");
        shop.obeys = false;
        shop.processes.keySet().forEach(name -> shop.spoil(name, true, true));
        shop.spoil(BLUE_1, true, false);
        shop.looks(100);
        assertThat(shop.waiting())
                .containsExactly("order has 1 of 2 blue instances ready and registered with v2: " + BLUE_1
                        + " is not registered");

        assertThatThrownBy(() -> shop.command(Command.PROMOTE))
                .isInstanceOf(CommandRefusedException.class)
                .hasMessageContaining("order has 1 of 2 blue instances");

        shop.spoil(BLUE_1, true, true);
        shop.looks(5);
        assertThat(shop.release().phase().words()).isEqualTo("opening blue");
        shop.looks(1);
        assertThat(shop.release().phase().words()).isEqualTo("admitting blue");
    }

    @Requirement("L11")
    @Test
    void aStageWaitsForAnInstanceThatIsGone() {
        shop.start().until("admitting blue");
        shop.obeys = false;
        shop.spoil(BLUE_1, false, true);
        shop.looks(50);

        assertThat(shop.release().bluePercent()).isEqualTo(Percent.of(10));
        assertThat(shop.waiting())
                .containsExactly(
                        "order has 1 of 2 blue instances ready and registered with v2: " + BLUE_1 + " is not ready");

        shop.obeys = true;
        shop.until("confirming");
    }

    @Requirement("F7")
    @Test
    void aStageWaitsWhileSomebodyRefusesItsRules() {
        shop.start().until("admitting blue");
        shop.obeys = false;
        shop.refuse(GREEN_1, "release.percent was NaN");

        shop.looks(100);

        assertThat(shop.release().bluePercent()).isEqualTo(Percent.of(10));
        assertThat(shop.waiting()).containsExactly("rules that everybody can use; refused by " + GREEN_1);

        shop.refuse(GREEN_1, "");
        shop.obeys = true;
        shop.until("completed");
    }

    @Requirement({"C4", "F23"})
    @Test
    void anAbortSendsEverythingBackAndBlueIsRestoredOnDemand() {
        shop.start().until("admitting blue").looks(6);

        shop.command(Command.ABORT);
        assertThat(shop.release().phase()).isEqualTo(new ChannelPhase.Returned("because"));
        assertThat(shop.channel().flow().isDrained(Color.BLUE)).isTrue();
        assertThat(shop.command(Command.ABORT).phase()).isEqualTo(new ChannelPhase.Returned("because"));

        shop.looks(100).command(Command.PROMOTE);
        shop.until("aborted");
        assertThat(shop.orders)
                .extracting(Deployer.Order::key)
                .containsExactly("r1/deploy-blue/1", "r1/restore-blue/1");
        assertThat(shop.processes.values())
                .filteredOn(process -> process.color() != null)
                .allSatisfy(process -> assertThat(process.version()).isEqualTo("v1"));
    }

    @Requirement({"F22", "L10", "F23"})
    @Test
    void whatWasTakenBackLeavesItsRegistryOnceEverybodyKnowsOfTheAbort() {
        shop.start().until("admitting blue").looks(6);
        shop.command(Command.ABORT);
        shop.obeys = false;
        shop.processes.keySet().forEach(name -> shop.spoil(name, true, true));
        shop.cutOff(GREEN_1);

        shop.looks(100);
        assertThat(shop.release().phase()).isEqualTo(new ChannelPhase.Returned("because"));
        assertThat(shop.channel().flow().closed()).isNull();
        assertThat(shop.waiting())
                .containsExactly(
                        "1 of 9 processes is not known to have applied 0."
                                + shop.store.published().revision() + ": " + GREEN_1 + " (not heard of for 12s)",
                        "promote, to bring blue back to the old version");

        shop.obeys = true;
        shop.looks(2);
        assertThat(shop.waiting()).anySatisfy(each -> assertThat(each).startsWith("requests under way: "));
        shop.until("returned, blue leaving");
        assertThat(shop.channel().flow().closed()).isEqualTo(Color.BLUE);
        assertThat(shop.command(Command.ABORT).phase()).isEqualTo(new ChannelPhase.Returned("because", true));
        shop.looks(5);
        assertThat(shop.processes.get(BLUE_1).registered()).isFalse();

        shop.command(Command.PROMOTE);
        assertThat(shop.release().phase().words()).isEqualTo("restoring, draining blue, leaving");
        shop.until("aborted").looks(2);
        assertThat(shop.processes.get(BLUE_1).version()).isEqualTo("v1");
        assertThat(shop.processes.get(BLUE_1).registered()).isTrue();
    }

    @Requirement({"C4", "F23"})
    @ParameterizedTest
    @ValueSource(strings = {"draining blue", "draining blue, leaving"})
    void anAbortBeforeBlueWasDeployedOnlyOpensItAgain(String words) {
        shop.start().until(words);

        shop.command(Command.ABORT);
        shop.until("aborted");

        assertThat(shop.orders).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"deploying blue", "verifying blue"})
    void whatWasNeverOpenedIsRestoredAtOnceBehindClosedDoors(String words) {
        shop.start().until(words);

        shop.command(Command.ABORT);
        assertThat(shop.release().phase().words()).isEqualTo("restoring, deploying blue");
        assertThat(shop.channel().flow().closed()).isEqualTo(Color.BLUE);

        shop.until("aborted");
    }

    @Requirement({"L11", "F23"})
    @Test
    void anAbortWhileGreenLeavesWaitsUntilItCanBeFoundAgain() {
        shop.start().until("draining green, leaving").looks(2);

        shop.command(Command.ABORT);
        assertThat(shop.release().bluePercent()).isEqualTo(Percent.HUNDRED);
        shop.until("returned");

        assertThat(shop.release().bluePercent()).isEqualTo(Percent.ZERO);
        assertThat(shop.phases).contains("restoring, opening green");
    }

    @Requirement("F23")
    @Test
    void oneGreenInstanceOfManyThatIsMissingBlocksNoAbort() {
        shop.start().until("admitting blue");
        shop.obeys = false;
        shop.spoil(GREEN_1, false, true);

        shop.command(Command.ABORT);

        assertThat(shop.release().phase()).isInstanceOf(ChannelPhase.Returned.class);
    }

    @Requirement({"F23", "L11"})
    @Test
    void withAllTrafficOnBlueAnAbortNeedsHalfOfGreen() {
        shop.add("user", Color.GREEN, 3);
        shop.start().until("confirming");
        shop.obeys = false;
        shop.spoil(GREEN_1, false, true);
        shop.spoil(GREEN_2, false, true);
        assertThatThrownBy(() -> shop.command(Command.ABORT))
                .hasMessageStartingWith("NO_WAY_BACK: user has 1 of 2 green instances");

        shop.spoil(GREEN_2, true, true);
        shop.command(Command.ABORT);

        assertThat(shop.release().phase()).isInstanceOf(ChannelPhase.Returned.class);
    }

    @Requirement("F23")
    @Test
    void withoutAnOldSideThereIsNoWayBack() {
        shop.start().until("admitting blue");
        shop.obeys = false;
        shop.spoil(GREEN_1, false, true);
        shop.spoil(GREEN_2, false, true);
        ChannelRelease before = shop.release();

        assertThatThrownBy(() -> shop.command(Command.ABORT))
                .isInstanceOf(CommandRefusedException.class)
                .hasMessage("NO_WAY_BACK: user has 0 of 1 green instances ready and registered with v1: " + GREEN_1
                        + " is not ready, " + GREEN_2 + " is not ready");
        assertThat(shop.release()).isEqualTo(before);
        assertThat(shop.orchestrator.wayBack(before).isOpen()).isFalse();
    }

    @Requirement({"C4", "F23"})
    @ParameterizedTest
    @ValueSource(strings = {"deploying green", "verifying green", "opening green", "admitting green", "completed"})
    void pastThePointOfNoReturnAnAbortIsRefused(String words) {
        shop.start().until(words);
        ChannelRelease before = shop.release();

        assertThatThrownBy(() -> shop.command(Command.ABORT)).hasMessageStartingWith("NO_WAY_BACK: ");

        assertThat(shop.release()).isEqualTo(before);
        assertThat(before.allowed()).doesNotContain(Command.ABORT);
    }

    @Requirement("B3")
    @ParameterizedTest
    @ValueSource(strings = {"admitting blue", "confirming", "draining green"})
    void aBreachOnBlueTakesTheReleaseBack(String words) {
        Shop bad = Shop.of(SampleChannel.spec()).start().until("verifying blue");
        bad.command(Command.PROMOTE);
        bad.until(words.equals("draining green") ? "confirming" : words);
        if (words.equals("draining green")) {
            bad.command(Command.PROMOTE);
        }
        bad.evidence.put("user", Shop.BAD);

        bad.look();

        assertThat(bad.release().phase()).isEqualTo(new ChannelPhase.Returned("user: error_rate=0.0600>0.0200"));
        assertThat(bad.lastEntry().actor()).isEqualTo("guard");
        assertThat(bad.lastEntry().action()).isEqualTo("abort");
        assertThat(bad.lastEntry().verdict().health()).isEqualTo(Health.BREACH);
    }

    @Test
    void aPausedStageIsStillGuarded() {
        shop.start().until("admitting blue").command(Command.PAUSE);
        shop.evidence.put("user", Shop.BAD);

        shop.look();

        assertThat(shop.release().phase()).isInstanceOf(ChannelPhase.Returned.class);
    }

    @Requirement("F23")
    @Test
    void aBreachWithoutAWayBackPausesAndTakesTheFirstWayThereIs() {
        shop.start().until("admitting blue");
        shop.obeys = false;
        shop.spoil(GREEN_1, false, true);
        shop.spoil(GREEN_2, false, true);
        shop.evidence.put("user", Shop.BAD);
        shop.looks(3);
        assertThat(shop.release().phase().words()).isEqualTo("paused admitting blue");
        assertThat(shop.release().bluePercent()).isEqualTo(Percent.of(10));
        assertThat(shop.lastEntry().why()).contains("NO_WAY_BACK: user has 0 of 1 green instances");

        shop.spoil(GREEN_1, true, true);
        shop.look();

        assertThat(shop.release().phase()).isInstanceOf(ChannelPhase.Returned.class);
    }

    @Test
    void aBreachOnGreenPausesAndMovesNothing() {
        shop.start().until("admitting green");
        shop.evidence.put("user", Shop.BAD);

        shop.looks(5);

        assertThat(shop.release().phase().words()).isEqualTo("paused admitting green");
        assertThat(shop.release().bluePercent()).isEqualTo(Percent.of(75));
    }

    @Requirement("B9")
    @Test
    void aBreachStepsBackWhereThePlanSaysSo() {
        Shop stepping = Shop.of(SampleChannel.spec(SampleRelease.steppingBack(2), URL, Map.of()));
        stepping.start().until("admitting blue").looks(6);
        assertThat(stepping.release().bluePercent()).isEqualTo(Percent.of(50));
        stepping.evidence.put("user", Shop.BAD);

        stepping.look();
        assertThat(stepping.release().bluePercent()).isEqualTo(Percent.of(10));
        assertThat(stepping.release().isPaused()).isTrue();
        assertThat(stepping.lastEntry().action()).isEqualTo("step-back");

        stepping.look();
        assertThat(stepping.release().phase()).isInstanceOf(ChannelPhase.Returned.class);
    }

    @Test
    void tooLongAHoldPauses() {
        Policy policy = SampleRelease.onHold(Policy.OnHold.PAUSE);
        Shop slow = Shop.of(SampleChannel.spec(policy, URL, Map.of()));
        slow.start().until("admitting blue");
        slow.evidence.put("user", Shop.FEW);

        slow.until("paused admitting blue");

        assertThat(slow.lastEntry().why()).isEqualTo("on hold for 1m: user: insufficient_samples");
    }

    @Requirement("C8")
    @Test
    void backIsOneStageAndPaused() {
        shop.start().until("admitting blue");
        assertThatThrownBy(() -> shop.command(Command.BACK)).hasMessageContaining("first stage");

        shop.looks(6).command(Command.BACK);

        assertThat(shop.release().phase())
                .isEqualTo(
                        new ChannelPhase.Paused(new ChannelPhase.Admitting(Color.BLUE, 0, Duration.ZERO), "because"));
    }

    @Requirement("C6")
    @Test
    void aDeploymentThatNeverEndsIsAHumansBusinessAfterItsDeadline() {
        shop.deployer = order -> new Deployer.Progress.Running("2 of 4");
        shop.start().until("paused deploying blue");
        assertThat(shop.lastEntry().why())
                .startsWith(
                        "not finished within 20s: deployer works: 2 of 4; order has 0 of 2 blue instances ready with v2: ");

        shop.deployer = order -> new Deployer.Progress.Done();
        shop.command(Command.RESUME);
        shop.until("completed");
        assertThat(shop.orders)
                .extracting(Deployer.Order::key)
                .contains("r1/deploy-blue/1")
                .doesNotContain("r1/deploy-blue/2");
    }

    @Requirement("C6")
    @Test
    void aDeploymentThatFailedIsTriedAgainUnderAnotherKey() {
        shop.deployer = order ->
                order.key().endsWith("/1") ? new Deployer.Progress.Failed("no image") : new Deployer.Progress.Done();
        shop.start().until("paused deploying blue").looks(10);
        assertThat(shop.lastEntry().why()).isEqualTo("deployer works gave up: no image");

        shop.command(Command.RESUME);
        shop.until("verifying blue");
        assertThat(shop.orders).extracting(Deployer.Order::key).containsExactly("r1/deploy-blue/1", "r1/deploy-blue/2");
    }

    @Requirement("C6")
    @Test
    void aHumanWhoDeploysHasNoDeadline() {
        shop.deployer = order -> new Deployer.Progress.WaitsForHuman("deploy v2 to blue");
        shop.start().until("deploying blue").looks(500);

        assertThat(shop.waiting()).containsExactly("promote, when it is done: deploy v2 to blue");
        shop.orders.get(0).targets().forEach(shop::run);
        shop.command(Command.PROMOTE);
        shop.until("admitting blue");
    }

    @Requirement("C7")
    @Test
    void sidesAreMadeLargerAndAsLargeAsTheyWere() {
        Shop larger = Shop.of(SampleChannel.spec(Policy.DEFAULT, URL, Map.of("order", 1)));
        larger.start().looks(2);
        assertThat(larger.waiting())
                .anySatisfy(sentence -> assertThat(sentence).contains("order has 2 of 3 blue instances"));
        larger.add("order", Color.BLUE, 3);
        larger.add("order", Color.GREEN, 3);

        larger.until("completed");

        assertThat(larger.orders)
                .extracting(order -> order.key() + " " + order.targets().get(0).instances())
                .containsExactly("r1/scale-up/1 3", "r1/deploy-blue/1 3", "r1/deploy-green/1 3", "r1/scale-down/1 2");
    }

    @Requirement({"F23", "L11"})
    @Test
    void aStartThatLacksSomethingSaysEverythingAtOnce() {
        shop.obeys = false;
        shop.processes.keySet().removeIf(name -> name.startsWith("user-blue"));
        shop.run(new Deployer.Target("user", Color.GREEN, "v2", 2, List.of()));
        shop.run(new Deployer.Target("order", Color.GREEN, "v0", 1, List.of(Shop.name("order", Color.GREEN, 2))));

        assertThatThrownBy(() -> shop.command(Command.START))
                .isInstanceOf(CommandRefusedException.class)
                .hasMessage(
                        "cannot start release r1: order.green was v0 and v1, but must be one version on all instances;"
                                + " user.blue was no instance, but must have at least one that is reached and ready; user.green was v2,"
                                + " but must be the old version, to which the release can be taken back");
        assertThat(shop.release().phase()).isEqualTo(new ChannelPhase.Draft());
    }

    @Requirement({"F49", "L11"})
    @Test
    void aStartMovesNothingToASideThatCannotBeFound() {
        shop.obeys = false;
        shop.spoil(GREEN_1, true, false);

        assertThatThrownBy(() -> shop.command(Command.START))
                .isInstanceOf(CommandRefusedException.class)
                .hasMessage("cannot start release r1: user has 1 of 2 green instances ready and registered with v1: "
                        + GREEN_1 + " is not registered");
        assertThat(shop.release().phase()).isEqualTo(new ChannelPhase.Draft());

        shop.obeys = true;
        shop.looks(1);
        shop.start().until("completed");
    }

    @Requirement("F13")
    @Test
    void theWallClockDecidesNothing() {
        shop.start();
        for (int i = 0; i < 40; i++) {
            shop.wallClock.advance(Duration.ofHours(i % 2 == 0 ? 48 : -96));
            shop.looks(1);
        }
        Shop calm = Shop.of(SampleChannel.spec(Policy.DEFAULT, URL, Map.of()))
                .start()
                .looks(40);

        assertThat(shop.phases).isEqualTo(calm.phases);
    }

    @Requirement("C5")
    @Test
    void channelsDoNotDisturbEachOther() {
        shop.add("stock", Color.BLUE, 1);
        shop.add("stock", Color.GREEN, 1);
        shop.evidence.put("stock", Shop.BAD);
        ChannelReleaseSpec spec = SampleChannel.spec(Policy.DEFAULT, URL, Map.of());
        ChannelReleaseSpec other = new ChannelReleaseSpec(
                "r2", "stock", List.of("stock"), "v3", spec.strategy(), "works", URL, spec.waits());
        shop.orchestrator.create(other, "bob", "");
        shop.orchestrator.command("r2", Command.START, "bob", "", Expected.anything());

        shop.start().until("completed");

        assertThat(shop.phases).doesNotContain("returned");
        assertThat(shop.store.find("r2").orElseThrow().phase()).isInstanceOf(ChannelPhase.Returned.class);
        assertThat(shop.processes.get(Shop.name("stock", Color.GREEN, 1)).version())
                .isEqualTo("v1");
    }

    @Requirement("C5")
    @Test
    void aServiceInTwoReleasesIsRefusedByName() {
        ChannelReleaseSpec spec = SampleChannel.spec();
        ChannelReleaseSpec other = new ChannelReleaseSpec(
                "r2", "shop", List.of("user"), "v3", spec.strategy(), "works", URL, spec.waits());

        assertThatThrownBy(() -> shop.orchestrator.create(other, "bob", ""))
                .hasMessageContaining("service user is in release r1 already");
    }

    @Test
    void anUnknownDeployerIsRefusedWhenTheReleaseIsCreated() {
        ChannelReleaseSpec spec = SampleChannel.spec();
        ChannelReleaseSpec other = new ChannelReleaseSpec(
                "r2", "trade", spec.services(), "v2", spec.strategy(), "nobody", spec.check(), spec.waits());

        assertThatThrownBy(() -> shop.orchestrator.create(other, "alice", ""))
                .hasMessageContaining("deployer was nobody, but must be one of works");
    }
}
