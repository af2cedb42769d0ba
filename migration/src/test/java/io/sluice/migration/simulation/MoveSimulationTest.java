package io.sluice.migration.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.sluice.migration.routing.Router;
import io.sluice.testing.Requirement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.slf4j.LoggerFactory;

/**
 * The real routers and movers over a simulated database, in thousands of runs in which everything goes wrong that can.
 *
 * <p>{@code -Dsluice.seeds=N} plays more of them. A seed that fails is printed with its trace; {@code -Dsluice.seed=N}
 * plays it alone.
 */
@Requirement({"I3", "I4", "I7", "F70", "F71", "F72"})
class MoveSimulationTest {
    private static final long SEEDS = Long.getLong("sluice.seeds", 10_000);
    private static final long ALONE = Long.getLong("sluice.seed", -1);
    /** A bug that is not found in so many is not found. */
    private static final long PLANTED_SEEDS = 2_000;

    private static final int RUNS_AT_ONCE = 2;
    private static final Logger ROUTERS = (Logger) LoggerFactory.getLogger(Router.class);
    private static final ExecutorService THREADS = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "simulated");
        thread.setDaemon(true);
        return thread;
    });

    /** What must have been seen over all seeds, or the simulation has explored nothing. */
    private static final List<String> KINDS = List.of(
            "moved to new",
            "moved to legacy",
            "move Busy",
            "move Failed",
            "move Overtaken",
            "move given up",
            "finished by a mover",
            "finished by a router",
            "mirrored",
            "not mirrored",
            "fell back",
            "was behind",
            "unanswered by legacy",
            "unanswered by new",
            "told nothing happened",
            "told unknown",
            "told OUT_OF_STOCK",
            "told NOT_RESERVED",
            "told CANCELLED",
            "asked and it happened",
            "asked and it never happens",
            "answer lost",
            "request late",
            "commit late",
            "commit lost",
            "commit applied, answer lost",
            "transaction ended by the limit",
            "shadow write refused",
            "waited at drain",
            "waited at hand-over: locks",
            "waited at freeze",
            "waited at legacy: takes the operation",
            "waited at new: takes the operation");

    /** Where a process must have died, and where one must have stood still for long. */
    private static final List<String> STEPS = List.of(
            "calls legacy",
            "calls new",
            "fence: locks",
            "fence: reads",
            "adds the missing row",
            "legacy: takes the operation",
            "legacy: takes",
            "legacy: ends the reservation",
            "legacy: gives back",
            "commit at legacy",
            "after commit at legacy",
            "new: takes the operation",
            "new: locks the stock",
            "new: reserves",
            "new: ends the reservation",
            "commit at new",
            "after commit at new",
            "freeze",
            "after freeze",
            "drain",
            "hand-over: locks",
            "copy: reads the stock",
            "copy: writes the stock",
            "copy: writes reservations",
            "copy: writes operations",
            "hand-over: opens",
            "hand-over",
            "after hand-over",
            "release",
            "looks up the plan");

    /** Half of the moves are in vain here, and routers would say so. */
    @BeforeAll
    static void silence() {
        ROUTERS.setLevel(Level.OFF);
    }

    @AfterAll
    static void end() {
        ROUTERS.setLevel(null);
        THREADS.shutdownNow();
    }

    @Test
    void nothingForbiddenHappensUnderAnySeed() {
        if (ALONE >= 0) {
            played(ALONE);
            return;
        }
        Map<String, Integer> seen = allPlayed();

        System.out.println("In " + SEEDS + " seeds: " + seen);
        assertThat(seen.keySet()).as("what happened at all").containsAll(KINDS);
        for (String step : STEPS) {
            assertThat(seen).containsKey("crash at " + step).containsKey("suspended at " + step);
        }
        assertThat(seen.get("moved to new")).as("moves to new").isGreaterThan((int) SEEDS);
        assertThat(seen.get("moved to legacy")).as("moves back").isGreaterThan((int) SEEDS / 4);
    }

    @Test
    void theSameSeedGivesTheSameRun() {
        for (long seed = 0; seed < 20; seed++) {
            assertThat(trace(seed, Planted.NOTHING)).isEqualTo(trace(seed, Planted.NOTHING));
        }
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.EXCLUDE, names = "NOTHING")
    void aBugThatIsPlantedIsFound(Planted bug) {
        Map<String, Long> others = new TreeMap<>();
        for (long seed = 0; seed < PLANTED_SEEDS; seed++) {
            try {
                new MoveWorld(seed, bug, THREADS, false).run();
            } catch (Violation violation) {
                String what = String.valueOf(violation.getMessage());
                if (what.startsWith(bug.found())) {
                    System.out.println(bug + " is found by seed " + seed + ", traced in " + kept(bug, trace(seed, bug))
                            + ": " + what);
                    return;
                }
                others.putIfAbsent(what, seed);
            }
        }
        throw new AssertionError(
                bug + " is not found in " + PLANTED_SEEDS + " seeds, but these violations were: " + others);
    }

    /** All seeds, a few at once, and how often each thing was seen. */
    private static Map<String, Integer> allPlayed() {
        AtomicLong next = new AtomicLong();
        List<Future<Map<String, Integer>>> parts = new ArrayList<>();
        for (int i = 0; i < RUNS_AT_ONCE; i++) {
            parts.add(THREADS.submit(() -> {
                Map<String, Integer> part = new TreeMap<>();
                for (long seed = next.getAndIncrement(); seed < SEEDS; seed = next.getAndIncrement()) {
                    played(seed).forEach((what, count) -> part.merge(what, count, Integer::sum));
                }
                return part;
            }));
        }
        Map<String, Integer> all = new TreeMap<>();
        for (Future<Map<String, Integer>> part : parts) {
            try {
                part.get().forEach((what, count) -> all.merge(what, count, Integer::sum));
            } catch (ExecutionException failed) {
                next.set(SEEDS);
                throw failed.getCause() instanceof AssertionError found ? found : new AssertionError(failed.getCause());
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new AssertionError(interrupted);
            }
        }
        return all;
    }

    private static Map<String, Integer> played(long seed) {
        try {
            return new MoveWorld(seed, Planted.NOTHING, THREADS, false).run();
        } catch (Violation violation) {
            throw new AssertionError(
                    "seed " + seed + " (alone: -Dsluice.seed=" + seed + "): " + violation.getMessage() + "\n"
                            + trace(seed, Planted.NOTHING),
                    violation);
        }
    }

    private static String trace(long seed, Planted planted) {
        MoveWorld world = new MoveWorld(seed, planted, THREADS, true);
        try {
            world.run();
        } catch (Violation found) {
            // It is the last line of the trace.
        }
        return world.trace();
    }

    private static Path kept(Planted bug, String trace) {
        try {
            Path directory = Files.createDirectories(Path.of("target", "simulation"));
            return Files.writeString(directory.resolve(bug + ".txt"), trace);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
