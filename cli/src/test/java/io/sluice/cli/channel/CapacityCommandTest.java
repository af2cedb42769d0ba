package io.sluice.cli.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.Ran;
import io.sluice.testing.Requirement;
import org.junit.jupiter.api.Test;

@Requirement("C7")
class CapacityCommandTest {
    @Test
    void quietServiceNeedsNoMore() {
        assertThat(Ran.sluice("capacity", "--cpu-p99", "12.5%", "--instances", "10"))
                .isEqualTo(new Ran(
                        0,
                        "{\"instances\":10,\"add\":0,\"addPerSide\":0}\n",
                        "The processors are 12.5% busy, below 20%: half of the instances carry that.\n"));
    }

    @Test
    void threadsAndProcessorsAreWeighedTogether() {
        Ran ran = Ran.sluice(
                "capacity", "--cpu-p99=25", "--instances=10", "--threads=200", "--qps=2000", "--latency=800ms");

        assertThat(ran)
                .isEqualTo(new Ran(
                        0,
                        "{\"instances\":10,\"add\":6,\"addPerSide\":3}\n",
                        "The processors are 25% busy: add 20%, so that each side has 6 instances and not 5.\n"
                                + "2000 requests a second of 800ms each keep 1600 threads busy, and half of the instances"
                                + " have 1000: requests would be refused; each side needs 8 instances.\n"));
    }

    @Test
    void everyBadArgumentIsNamed() {
        assertThat(Ran.sluice("capacity", "--cpu-p99=101", "--threads=0", "--latency=fast"))
                .isEqualTo(Ran.refused(
                        "--cpu-p99 was 101, but must be within 0..100 with at most two decimals",
                        "--instances was missing, but must be a whole number, at most ten digits",
                        "--qps was missing, but must be a whole number, at most ten digits",
                        "--latency was fast, but must be a duration like 300ms, 10s, 5m, 1h or 2d, at most 10000d",
                        "--threads was 0, but must be within 1..1000000"));
        assertThat(Ran.sluice("capacity", "--cpu-p99=10", "--instances=1"))
                .isEqualTo(Ran.refused("--instances was 1, but must be within 2..100000, one for each side at least"));
    }
}
