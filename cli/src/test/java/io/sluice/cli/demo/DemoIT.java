package io.sluice.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testing.Requirement;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** The demo as its user runs it: the whole product in processes of its own. */
class DemoIT {
    private static final Duration START = Duration.ofMinutes(5);
    private static final Duration RUN = Duration.ofMinutes(10);
    private static final Duration BLUE_GREEN = Duration.ofMinutes(18);

    // What a failed run wrote is what explains it.
    @TempDir(cleanup = CleanupMode.ON_SUCCESS)
    private Path directory;

    @Test
    @Requirement({"C1", "E1", "E2", "F52"})
    void goodVersionIsReleasedWithoutAnyWrongOrLostAnswer() throws Exception {
        DemoRun demo = release();

        assertThat(demo.exitCode(RUN)).as(demo.output()).isZero();
        assertThat(demo.output())
                .contains(": completed")
                .contains("wrong version: 0   lost requests: 0   fell back to stable: 0")
                .containsPattern("forged tags: [1-9][0-9]*, believed: 0")
                .contains("customer c-0000001 is served by v2.1.0");
    }

    @Test
    @Requirement({"C1", "A8"})
    void failingVersionIsTakenBackFromEverybody() throws Exception {
        DemoRun demo = release("--fault", "errors=6%");

        assertThat(demo.exitCode(RUN)).as(demo.output()).isZero();
        assertThat(demo.output())
                .contains(": aborted")
                .containsPattern("because (order|\\(edges\\)): error_rate=0\\.[0-9]{4}>0\\.0200")
                .contains("wrong version: 0   lost requests: 0")
                .contains("customer c-0000001 is served by stable");
    }

    @Test
    @Requirement("C1")
    void slowVersionIsTakenBack() throws Exception {
        DemoRun demo = release("--fault", "slow=500ms");

        assertThat(demo.exitCode(RUN)).as(demo.output()).isZero();
        assertThat(demo.output())
                .contains(": aborted")
                .containsPattern("because (order|\\(edges\\)): slow (x|where stable has none)")
                .contains("wrong version: 0   lost requests: 0");
    }

    @Test
    @Requirement({"E5", "F50"})
    void customersOfAKilledInstanceAreServedByStable() throws Exception {
        DemoRun demo = release("--kill", "canary");

        assertThat(demo.exitCode(RUN)).as(demo.output()).isZero();
        assertThat(demo.output())
                .containsPattern("HOLD order: (no_data|insufficient_samples|data_stopped)")
                .containsPattern("wrong version: 0   lost requests: [0-9]   fell back to stable: [1-9]");
    }

    @Test
    @Requirement({"C4", "C5", "C6", "E7"})
    void twoChannelsAreReleasedBlueGreenAtTheSameTime() throws Exception {
        DemoRun demo = DemoRun.startAt(directory, "4s", "40", "--blue-green");

        assertThat(demo.exitCode(BLUE_GREEN)).as(demo.output()).isZero();
        assertThat(demo.output())
                .containsPattern("release trade-[0-9-]+ of channel trade: completed")
                .containsPattern("release marketing-[0-9-]+ of channel marketing: completed")
                .containsPattern("failed: 0   lost: 0   calls across colors: 0");
    }

    @Test
    @Requirement({"I3", "I7", "I9", "F70"})
    void stockMovesUnderLoadWithoutADoubleSell() throws Exception {
        DemoRun demo = DemoRun.startAt(directory, "2s", "100", "--migration", "--skus", "300");

        assertThat(demo.exitCode(RUN)).as(demo.output()).isZero();
        assertThat(demo.output())
                .contains("SKUs moved: 300 of 300")
                .containsPattern("handed back: [1-9]")
                .containsPattern("router-1 was killed after [0-9]+ of the [0-9]+ moves of a step, and was back after")
                .containsPattern("router-2 was behind and put right: [1-9][0-9]* times")
                .containsPattern("writes that fell back: [1-9]")
                .containsPattern("shadow reads compared: [1-9][0-9,]*   different: 0")
                .contains("double sells: 0   lost reservations: 0   not promised to anybody: 0   not settled: 0")
                .contains("stock conserved: 6,000 of 6,000 units   findings: 0")
                .contains("ready: no")
                .contains("unbroken days 0 < 7");
        // The database cleans up after itself.
        assertThat(databaseDirectory(directory)).doesNotExist();
    }

    @Test
    void nothingIsLeftOfTheDatabaseOfAMigrationThatIsKilled() throws Exception {
        DemoRun demo = DemoRun.startAt(directory, "2s", "100", "--migration", "--skus", "300");
        demo.awaitOutput("database   ready", START);
        Path database = databaseDirectory(directory);
        assertThat(database).exists();

        demo.kill();

        await().until(() -> Files.notExists(database));
    }

    /** The port may answer before the process has said where its files are. */
    private static Path databaseDirectory(Path directory) {
        return await().until(() -> saidDirectory(directory), Optional::isPresent)
                .map(Path::of)
                .orElseThrow();
    }

    private static Optional<String> saidDirectory(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            Path log = files.filter(file -> file.endsWith("database.log"))
                    .findFirst()
                    .orElseThrow();
            Matcher in = Pattern.compile("PostgreSQL answers at port [0-9]+, in (.+)")
                    .matcher(Files.readString(log));
            return in.find() ? Optional.of(in.group(1)) : Optional.empty();
        }
    }

    @Test
    @Requirement("C9")
    void releaseGoesOnAfterTheServerWasKilled() throws Exception {
        DemoRun demo = release("--kill", "server");

        assertThat(demo.exitCode(RUN)).as(demo.output()).isZero();
        assertThat(demo.output())
                .contains("the server is back on its data")
                .contains(": completed")
                .contains("wrong version: 0   lost requests: 0");
    }

    @Test
    void nothingSurvivesAKillOfTheDemo() throws Exception {
        DemoRun demo = release();
        demo.awaitOutput("order          ready", START);
        List<ProcessHandle> processes = demo.processes();

        demo.kill();

        assertThat(processes).hasSizeGreaterThan(2);
        DemoRun.awaitEndOf(processes);
    }

    @Test
    void portInUseIsSaidBeforeAnythingStarts() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            DemoRun demo = release("--ports", String.valueOf(taken.getLocalPort()));

            assertThat(demo.exitCode(START)).isEqualTo(2);
            assertThat(demo.output())
                    .contains("port " + taken.getLocalPort()
                            + " was in use, but must be free; choose another start with --ports")
                    .doesNotContain("starting");
        }
    }

    private DemoRun release(String... options) throws IOException {
        return DemoRun.start(directory, options);
    }
}
