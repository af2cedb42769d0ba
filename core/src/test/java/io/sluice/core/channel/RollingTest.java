package io.sluice.core.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.release.Command;
import io.sluice.testing.Requirement;
import java.net.URI;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

@Requirement("C3")
class RollingTest {
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

    private List<String> versions() {
        return shop.processes.values().stream()
                .filter(process -> SampleChannel.SERVICES.contains(process.service()))
                .map(Workload::version)
                .toList();
    }
}
