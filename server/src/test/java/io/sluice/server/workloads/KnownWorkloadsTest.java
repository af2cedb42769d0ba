package io.sluice.server.workloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.channel.Workload;
import io.sluice.core.tag.Color;
import io.sluice.server.TestDatabase;
import io.sluice.server.leadership.Leadership;
import io.sluice.testing.Requirement;
import io.sluice.wire.WorkloadReport;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.springframework.web.server.ResponseStatusException;

class KnownWorkloadsTest {
    private static final int MOST = 100;

    private final TestDatabase database = TestDatabase.create();
    private final AtomicLong nanos = new AtomicLong();
    private KnownWorkloads known = started();

    @Test
    void aProcessCountsFromItsFirstReport() {
        known.take(report("order@a:1", "v1", false));

        assertThat(known.all()).singleElement().satisfies(workload -> {
            assertThat(workload.isReached()).isTrue();
            assertThat(workload.color()).isEqualTo(Color.BLUE);
            assertThat(workload.requests()).isEqualTo(7);
            assertThat(workload.hasApplied(1, 3)).isTrue();
            assertThat(workload.hasApplied(1, 4)).isFalse();
        });
    }

    @Test
    @Requirement("F13")
    void aProcessThatIsCutOffStaysKnownThroughARestartAndIsUnreached() {
        establish("order@a:1");
        pass(Duration.ofSeconds(60));
        assertThat(known.all()).extracting(Workload::isReached).containsExactly(false);

        known = started();

        assertThat(known.all()).singleElement().satisfies(workload -> {
            assertThat(workload.instance()).isEqualTo("order@a:1");
            assertThat(workload.isReached()).isFalse();
            assertThat(workload.ready()).isFalse();
        });
        known.take(report("order@a:1", "v1", false));
        assertThat(known.all()).extracting(Workload::isReached).containsExactly(true);
    }

    @Test
    void aNewVersionIsKnownAfterARestart() {
        establish("order@a:1");
        known.take(report("order@a:1", "v2", false));

        known = started();

        assertThat(known.all()).extracting(Workload::version).containsExactly("v2");
    }

    @Test
    void aGoodbyeAndAStrikeMakeAProcessUnknown() {
        establish("order@a:1");
        establish("order@b:1");

        known.take(report("order@a:1", "v1", true));
        assertThat(known.strikeOff("order@b:1")).isPresent();

        assertThat(known.all()).isEmpty();
        assertThat(started().all()).isEmpty();
        assertThat(known.strikeOff("order@b:1")).isEmpty();
    }

    @Test
    @Requirement("F44")
    void aFloodOfInventedNamesPushesNobodyOutAndFillsNoDatabase() {
        establish("order@real:1");

        for (int i = 0; i < MOST + 500; i++) {
            known.take(report("order@invented-" + i + ":1", "v1", false));
        }

        assertThat(known.all()).hasSize(MOST).extracting(Workload::instance).contains("order@real:1");
        assertThat(rows()).isEqualTo(1);
        pass(Duration.ofSeconds(11));
        assertThat(known.all()).extracting(Workload::instance).containsExactly("order@real:1");
    }

    @Test
    void whereAllAreEstablishedANewOneIsRefused() {
        for (int i = 0; i < MOST; i++) {
            known.take(report("order@p-" + i + ":1", "v1", false));
        }
        pass(Duration.ofSeconds(3));
        for (int i = 0; i < MOST; i++) {
            known.take(report("order@p-" + i + ":1", "v1", false));
        }

        assertThatThrownBy(() -> known.take(report("order@late:1", "v1", false)))
                .isInstanceOf(ResponseStatusException.class)
                .hasMessageContaining("strike off");
        assertThat(rows()).isEqualTo(MOST);
    }

    private KnownWorkloads started() {
        return new KnownWorkloads(new WorkloadStore(database.jdbc()), Leadership.alone(), nanos::get, MOST);
    }

    private void establish(String instance) {
        known.take(report(instance, "v1", false));
        pass(Duration.ofSeconds(3));
        known.take(report(instance, "v1", false));
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private int rows() {
        return database.jdbc()
                .sql("select count(*) from workloads")
                .query(Integer.class)
                .single();
    }

    private static WorkloadReport report(String instance, String version, boolean leaving) {
        return new WorkloadReport("order", instance, Color.BLUE, version, true, true, 7, 0, 0, 1, 3, "", leaving);
    }
}
