package io.sluice.core.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Requirement;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** Thousands of releases of a channel in a world where everything goes wrong that can. */
@Requirement({"C4", "L10", "L11", "L12", "F23", "F24", "F49"})
class ChannelSimulationTest {
    private static final int SEEDS = 2_000;
    private static final int TICKS = 700;

    @Test
    void nothingForbiddenHappensUnderAnySeed() {
        List<ChannelWorld> worlds = IntStream.range(0, SEEDS)
                .parallel()
                .mapToObj(ChannelSimulationTest::played)
                .toList();

        assertThat(ends(worlds, ChannelPhase.Completed.class)).as("completed").isGreaterThan(SEEDS / 4);
        assertThat(ends(worlds, ChannelPhase.Aborted.class)).as("aborted").isGreaterThan(SEEDS / 10);
        assertThat(worlds.stream().filter(world -> world.release().phase().isOver()))
                .as("over")
                .hasSizeGreaterThan(SEEDS * 9 / 10);
        assertThat(worlds.stream().mapToLong(world -> world.served).sum())
                .as("requests")
                .isGreaterThan(100L * SEEDS);
        assertThat(worlds.stream().flatMap(world -> world.phases.stream()).distinct())
                .as("phases that were reached")
                .hasSizeGreaterThan(15);
    }

    @Test
    void theSameSeedGivesTheSameWorld() {
        ChannelWorld once = played(7);
        ChannelWorld again = played(7);

        assertThat(again.served).isEqualTo(once.served);
        assertThat(again.release()).isEqualTo(once.release());
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "NOTHING")
    void aBugThatIsPlantedIsFound(Planted bug) {
        assertThat(IntStream.range(0, SEEDS).anyMatch(seed -> isFound(bug, seed)))
                .as(bug.name() + " is found: " + bug.found())
                .isTrue();
    }

    private static ChannelWorld played(int seed) {
        ChannelWorld world = new ChannelWorld(seed, Planted.NOTHING);
        try {
            world.run(TICKS);
        } catch (ChannelWorld.Violation violation) {
            throw new AssertionError("seed " + seed, violation);
        }
        return world;
    }

    private static long ends(List<ChannelWorld> worlds, Class<? extends ChannelPhase> phase) {
        return worlds.stream()
                .filter(world -> phase.isInstance(world.release().phase()))
                .count();
    }

    private static boolean isFound(Planted bug, int seed) {
        try {
            new ChannelWorld(seed, bug).run(TICKS);
            return false;
        } catch (ChannelWorld.Violation violation) {
            return String.valueOf(violation.getMessage()).startsWith(bug.found());
        }
    }
}
