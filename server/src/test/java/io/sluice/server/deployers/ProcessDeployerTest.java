package io.sluice.server.deployers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.core.channel.Deployer.Order;
import io.sluice.core.channel.Deployer.Progress;
import io.sluice.core.channel.Deployer.Target;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.tag.Color;
import io.sluice.testing.Requirement;
import io.sluice.wire.LocalProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With real JVMs that are really stopped and started. */
class ProcessDeployerTest {
    private static final Duration PATIENT = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    private TinyFleet fleet;

    @BeforeEach
    void open() {
        fleet = new TinyFleet(directory);
    }

    @AfterEach
    void endAll() {
        fleet.close();
    }

    @Test
    @Requirement("C6")
    void anOrderBringsTheVersionToItsSideAndTouchesNoOther() {
        fleet.with("order-blue-1", Color.BLUE)
                .with("order-blue-2", Color.BLUE)
                .with("order-green-1", Color.GREEN)
                .with("stock-blue-1", Color.BLUE);
        Target green = new Target("order", Color.GREEN, "v1", 1, List.of());
        try (ProcessDeployer deployer = fleet.deployer()) {
            Progress first = Orders.awaitEnd(
                    deployer, Orders.of("k1", Orders.blue("order", "v1", 2), Orders.blue("stock", "v1", 1), green));
            Progress second = Orders.awaitEnd(deployer, Orders.of("k2", Orders.blue("order", "v2", 2)));

            assertThat(first).isEqualTo(new Progress.Done());
            assertThat(second).isEqualTo(new Progress.Done());
        }
        assertThat(fleet.running())
                .extracting(TinyFleet.Start::version)
                .containsExactlyInAnyOrder("v1", "v1", "v2", "v2");
        assertThat(fleet.allStarts()).hasSize(6);
        assertThat(fleet.allStarts())
                .allSatisfy(start -> assertThat(start.environment()).isEqualTo(start.version() + "!"))
                .allSatisfy(start -> assertThat(start.leftOver()).isEqualTo("null"));
    }

    @Test
    @Requirement({"C6", "F24"})
    void theSameKeyNeverStartsASecondTime() {
        fleet.with("order-blue-1", Color.BLUE);
        Order order = Orders.of("k1", Orders.blue("order", "v1", 1));
        try (ProcessDeployer deployer = fleet.deployer()) {
            Orders.awaitEnd(deployer, order);
        }
        fleet.close();
        try (ProcessDeployer another = fleet.deployer()) {
            assertThat(Orders.awaitEnd(another, order)).isEqualTo(new Progress.Done());
        }

        assertThat(fleet.allStarts()).hasSize(1);
    }

    @Test
    @Requirement("C6")
    void aProcessThatEndsFailsTheOrderWithItsLastLines() {
        fleet.with("order-blue-1", Color.BLUE, "exits-on-v2", PATIENT);
        try (ProcessDeployer deployer = fleet.deployer()) {
            Orders.awaitEnd(deployer, Orders.of("k1", Orders.blue("order", "v1", 1)));
            Progress progress = Orders.awaitEnd(deployer, Orders.of("k2", Orders.blue("order", "v2", 1)));

            assertThat(progress)
                    .isInstanceOfSatisfying(
                            Progress.Failed.class,
                            failed -> assertThat(failed.why())
                                    .startsWith("order-blue-1 ended with exit code 3; its last lines in ")
                                    .contains("version v2 on port", "no room for\\u001b[31m orders")
                                    .doesNotContain("version v1"));
            assertThat(Orders.awaitEnd(deployer, Orders.of("k3", Orders.blue("order", "v1", 1))))
                    .isEqualTo(new Progress.Done());
        }
    }

    @Test
    void aProgramThatIsNotThereFailsTheOrder() {
        fleet.with("order-blue-1", Color.BLUE);
        var missing = fleet.processes().get(0);
        var process = new LocalProcess(
                "order-blue-1",
                "order",
                Color.BLUE,
                missing.instance(),
                List.of("no-such-program", "${version}"),
                null,
                missing.environment(),
                null,
                missing.ready(),
                PATIENT);
        try (ProcessDeployer deployer = new ProcessDeployer(List.of(process), directory, fleet.data())) {
            assertThat(Orders.awaitEnd(deployer, Orders.of("k1", Orders.blue("order", "v1", 1))))
                    .isInstanceOfSatisfying(
                            Progress.Failed.class,
                            failed -> assertThat(failed.why()).contains("exit code 127", "no-such-program"));
        }
    }

    @Test
    void aProcessThatStaysIsKilled() {
        fleet.with("order-blue-1", Color.BLUE, "stays", Duration.ofMillis(300));
        try (ProcessDeployer deployer = fleet.deployer()) {
            Orders.awaitEnd(deployer, Orders.of("k1", Orders.blue("order", "v1", 1)));
            assertThat(Orders.awaitEnd(deployer, Orders.of("k2", Orders.blue("order", "v2", 1))))
                    .isEqualTo(new Progress.Done());
        }
        assertThat(fleet.running()).extracting(TinyFleet.Start::version).containsExactly("v2");
    }

    @Test
    @Requirement("C6")
    void scalingStartsAndStopsSoManyAndLeavesTheOthersAlone() {
        fleet.with("order-blue-1", Color.BLUE).with("order-blue-2", Color.BLUE).with("order-blue-3", Color.BLUE);
        try (ProcessDeployer deployer = fleet.deployer()) {
            Orders.awaitEnd(deployer, Orders.of("k1", Orders.blue("order", "v1", 1)));
            List<TinyFleet.Start> one = fleet.running();
            Orders.awaitEnd(deployer, Orders.of("k2", Orders.blue("order", "v1", 3)));
            List<TinyFleet.Start> three = fleet.running();
            Orders.awaitEnd(deployer, Orders.of("k3", Orders.blue("order", "v1", 1)));

            assertThat(one).hasSize(1);
            assertThat(three).hasSize(3).containsAll(one);
            assertThat(fleet.running()).isEqualTo(one);
            assertThat(Orders.awaitEnd(deployer, Orders.of("k4", Orders.blue("order", "v1", 4))))
                    .isEqualTo(new Progress.Failed(
                            "order on the blue side: 4 ordered, but the file of --processes has 3"));
            assertThat(Orders.awaitEnd(deployer, Orders.of("k5", Orders.blue("pay", "v1", 1))))
                    .isEqualTo(
                            new Progress.Failed("pay on the blue side: 1 ordered, but the file of --processes has 0"));
        }
        assertThat(fleet.running()).hasSize(1);
    }

    @Test
    void onlyTheNamedInstancesAreTouched() {
        fleet.with("order-blue-1", Color.BLUE).with("order-green-1", Color.GREEN);
        String second = fleet.processes().get(1).instance();
        try (ProcessDeployer deployer = fleet.deployer()) {
            Orders.awaitEnd(deployer, Orders.of("k1", new Target("order", null, "v1", 2, List.of())));
            Orders.awaitEnd(deployer, Orders.of("k2", new Target("order", null, "v2", 2, List.of(second))));

            assertThat(Orders.awaitEnd(
                            deployer,
                            Orders.of("k3", new Target("order", null, "v2", 2, List.of("order@elsewhere:1")))))
                    .isEqualTo(
                            new Progress.Failed("the file of --processes has no instance order@elsewhere:1 of order"));
        }
        assertThat(fleet.running()).extracting(TinyFleet.Start::version).containsExactlyInAnyOrder("v1", "v2");
    }

    @Test
    void aProcessThatIsNeverReadyIsWaitedForUntilANewerOrderTakesOver() {
        fleet.with("order-blue-1", Color.BLUE, "unwell-v2", PATIENT);
        Order sick = Orders.of("k1", Orders.blue("order", "v2", 1));
        try (ProcessDeployer deployer = fleet.deployer()) {
            await().until(
                            () -> deployer.deploy(sick),
                            new Progress.Running("0 of 1 processes are done; order-blue-1 is not ready yet")::equals);
            await().until(() -> fleet.running().size() == 1);
            Progress again = Orders.awaitEnd(deployer, Orders.of("k2", Orders.blue("order", "v1", 1)));

            assertThat(again).isEqualTo(new Progress.Done());
            assertThat(deployer.deploy(sick)).isEqualTo(new Progress.Failed("order k2 took over"));
        }
    }

    @Test
    void oneDeployerAtATimeHasADirectory() {
        fleet.with("order-blue-1", Color.BLUE);
        Order order = Orders.of("k1", Orders.blue("order", "v1", 1));
        try (ProcessDeployer first = fleet.deployer();
                ProcessDeployer second = fleet.deployer()) {
            Orders.awaitEnd(first, order);
            await().until(() -> deployerNote(second, order).startsWith("another server has "));

            first.close();

            assertThat(Orders.awaitEnd(second, order)).isEqualTo(new Progress.Done());
        }
        assertThat(fleet.allStarts()).hasSize(1);
    }

    private static String deployerNote(ProcessDeployer deployer, Order order) {
        return deployer.deploy(order) instanceof Progress.Running running ? running.note() : "";
    }

    @Test
    void aStateThatCannotBeReadIsRefused() throws Exception {
        fleet.with("order-blue-1", Color.BLUE);
        Files.createDirectories(fleet.data());
        Files.writeString(fleet.data().resolve("processes.json"), "{\"format\":1,\"processes\":[");

        assertThatThrownBy(fleet::deployer)
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("must be what this server wrote");
    }

    @Test
    void aForeignProcessUnderOurNumberIsLeftAlone() throws Exception {
        fleet.with("order-blue-1", Color.BLUE);
        try (ProcessDeployer deployer = fleet.deployer()) {
            Orders.awaitEnd(deployer, Orders.of("k1", Orders.blue("order", "v1", 1)));
        }
        fleet.close();
        Process foreign = new ProcessBuilder("sleep", "60").start();
        try {
            Path state = fleet.data().resolve("processes.json");
            String written = Files.readString(state);
            Files.writeString(state, written.replaceFirst("\"pid\":[0-9]+", "\"pid\":" + foreign.pid()));
            try (ProcessDeployer deployer = fleet.deployer()) {
                assertThat(Orders.awaitEnd(deployer, Orders.of("k2", Orders.blue("order", "v2", 1))))
                        .isEqualTo(new Progress.Done());
            }

            assertThat(foreign.isAlive()).isTrue();
        } finally {
            foreign.destroyForcibly();
        }
    }

    @Test
    @Requirement({"C6", "F24"})
    void anOwnerThatIsKilledAtAnyMomentIsFollowedByOneThatGoesOn() throws Exception {
        fleet.with("order-blue-1", Color.BLUE).with("order-blue-2", Color.BLUE);
        Random random = new Random(24);
        for (int kill = 0; kill < 8; kill++) {
            String version = "v" + kill;
            Order order = Orders.of("key-" + kill, Orders.blue("order", version, 2));
            Process owner = DeployerOwner.fork(fleet, order.key(), version);
            // Its first byte says that the order is given; what it is at when it dies is chance.
            owner.getInputStream().read();
            LockSupport.parkNanos(random.nextInt(700_000_000));
            owner.destroyForcibly().waitFor();

            try (ProcessDeployer next = fleet.deployer()) {
                assertThat(Orders.awaitEnd(next, order)).isEqualTo(new Progress.Done());
            }
            assertThat(fleet.allStarts().stream()
                            .filter(start -> start.version().equals(version)))
                    .as("starts of %s", version)
                    .hasSize(2);
            assertThat(fleet.running()).extracting(TinyFleet.Start::version).containsExactly(version, version);
        }
    }
}
