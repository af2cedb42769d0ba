package io.sluice.core.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.decision.Lane;
import io.sluice.core.observation.LaneTally;
import io.sluice.core.observation.SampleLane;
import io.sluice.testing.Requirement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

@Requirement({"B5", "B6"})
class StageWatchPropertyTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final StageWatch.Settings SETTINGS = StageWatch.Settings.of(
            Duration.ofMinutes(3),
            new Thresholds(30, ErrorRate.parse("2%"), SampleLane.LIMIT, Thresholds.DEFAULT_SILENCE));

    /** Saved where a tick has just closed, since what is open is not saved. */
    @Property(tries = 60)
    void aRestartAtAnyTickDecidesAsIfItHadNotBeen(@ForAll long seed, @ForAll @IntRange(max = 12) int restartAfter) {
        StageWatch watch = StageWatch.start(SETTINGS, 0);
        StageWatch restarted = watch;
        Random random = new Random(seed);

        for (int tick = 0; tick < 12; tick++) {
            if (tick == restartAfter) {
                restarted = StageWatch.restore(SETTINGS, watch.save(), tick * SECOND);
            }
            for (Report report : reports(random, 3)) {
                long at = tick * SECOND + 1;
                watch.add(report.instance, report.lane, report.tally, at);
                if (restarted != watch) {
                    restarted.add(report.instance, report.lane, report.tally, at);
                }
            }
            Seen expected = watch.look((tick + 1) * SECOND);
            assertSame(restarted.look((tick + 1) * SECOND), expected);
        }
    }

    @Property(tries = 60)
    void theOrderOfReportsMakesNoDifference(@ForAll long seed) {
        Random random = new Random(seed);
        List<Report> reports = reports(random, 8);
        List<Report> shuffled = new ArrayList<>(reports);
        Collections.shuffle(shuffled, random);

        assertSame(seen(shuffled), seen(reports));
    }

    /** What one tick gets late the next one has. */
    @Property(tries = 60)
    void aLateReportLosesNothing(@ForAll long seed) {
        List<Report> reports = reports(new Random(seed), 8);
        StageWatch watch = StageWatch.start(SETTINGS, 0);
        for (int i = 0; i < reports.size(); i++) {
            Report report = reports.get(i);
            watch.add(report.instance, report.lane, report.tally, i * SECOND);
            watch.look(i * SECOND);
        }

        Seen late = watch.look(20 * SECOND);

        Seen atOnce = seen(reports);
        assertThat(late.canary()).isEqualTo(atOnce.canary());
        assertThat(late.stable()).isEqualTo(atOnce.stable());
        assertThat(late.crowd()).isEqualTo(atOnce.crowd());
    }

    private static Seen seen(List<Report> reports) {
        StageWatch watch = StageWatch.start(SETTINGS, 0);
        reports.forEach(report -> watch.add(report.instance, report.lane, report.tally, 0));
        return watch.look(20 * SECOND);
    }

    private static void assertSame(Seen actual, Seen expected) {
        assertThat(actual.canary()).isEqualTo(expected.canary());
        assertThat(actual.stable()).isEqualTo(expected.stable());
        assertThat(actual.window()).isEqualTo(expected.window());
        assertThat(actual.crowd()).isEqualTo(expected.crowd());
        for (int i = 0; i < expected.comparisons().size(); i++) {
            Comparison one = actual.comparisons().get(i);
            Comparison other = expected.comparisons().get(i);
            assertThat(one.counts()).isEqualTo(other.counts());
            assertThat(one.rising()).isEqualTo(other.rising());
            assertThat(one.detector().logs()).isEqualTo(other.detector().logs());
        }
    }

    /** Of both lanes by turns, canary worse than stable. */
    private static List<Report> reports(Random random, int count) {
        List<Report> reports = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            long canary = random.nextInt(1_000);
            long stable = 10_000 + random.nextInt(1_000);
            long salt = random.nextInt(50);
            reports.add(new Report(
                    "i" + i,
                    Lane.CANARY,
                    SampleLane.of(canary, canary + 60, each -> each % 20 == salt % 20, each -> each % 9 == 0)));
            reports.add(new Report(
                    "i" + i,
                    Lane.STABLE,
                    SampleLane.of(stable, stable + 200, each -> each % 50 == salt, each -> each % 40 == 0)));
        }
        return reports;
    }

    private record Report(String instance, Lane lane, LaneTally tally) {}
}
