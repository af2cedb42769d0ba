package io.sluice.wire.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.problem.Problem;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.rule.RuleSet;
import io.sluice.testing.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Requirement({"D5", "F3"})
class LastGoodFileTest {
    private static final RuleSet R7 = Rules.at(7, 10);
    private static final RuleSet R8 = Rules.at(8, 25);
    private static final RuleSet R9 = Rules.at(9, 50);

    @TempDir
    Path temp;

    private Path directory;
    private LastGoodFile file;

    @BeforeEach
    void open() {
        directory = temp.resolve("sluice/order");
        file = LastGoodFile.in(directory, "order");
    }

    @Test
    void nothingIsKeptBeforeTheFirstSave() {
        assertThat(file.load()).isEmpty();
        assertThat(file.skipped()).isEmpty();
        assertThat(directory).doesNotExist();
    }

    @Test
    void newestOfManySavesIsLoadedByTheNextRun() {
        file.save(R7);
        file.save(R8);
        file.save(R9);

        assertThat(LastGoodFile.in(directory, "order").load()).contains(R9);
        assertThat(file.failedWrites()).isZero();
    }

    @Test
    void olderRulesNeverReplaceNewerOnes() {
        file.save(R9);
        file.save(R7);
        file.save(R8);

        assertThat(file.load()).contains(R9);
        assertThat(directory.resolve("rules-1")).doesNotExist();
    }

    @Test
    void twoGenerationsAreKeptAndNothingElse() throws IOException {
        file.save(R7);
        file.save(R8);
        file.save(R9);

        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder("rules-0", "rules-1");
        }
    }

    @Test
    void onlyThisUserMayReadOrWrite() throws IOException {
        file.save(R7);

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
                .isEqualTo("rwx------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("rules-0"))))
                .isEqualTo("rw-------");
    }

    @ParameterizedTest(name = "with an older generation: {0}")
    @ValueSource(booleans = {true, false})
    void fileCutAtAnyByteIsNeverUsedInPart(boolean withOlder) throws IOException {
        Path newest = saveTwo(withOlder);
        byte[] whole = Files.readAllBytes(newest);
        Set<RuleSet> loaded = new HashSet<>();

        for (int length = 0; length < whole.length; length++) {
            Files.write(newest, Arrays.copyOf(whole, length));
            loaded.add(file.load().orElse(RuleSet.empty()));
        }

        assertThat(loaded).containsExactly(withOlder ? R7 : RuleSet.empty());
    }

    @ParameterizedTest(name = "with an older generation: {0}")
    @ValueSource(booleans = {true, false})
    void fileWithOneBitFlippedAnywhereIsNeverUsedInPart(boolean withOlder) throws IOException {
        Path newest = saveTwo(withOlder);
        byte[] whole = Files.readAllBytes(newest);
        Set<RuleSet> loaded = new HashSet<>();

        for (int at = 0; at < whole.length; at++) {
            byte[] flipped = whole.clone();
            flipped[at] ^= (byte) (1 << at % 8);
            Files.write(newest, flipped);
            loaded.add(file.load().orElse(RuleSet.empty()));
        }

        assertThat(loaded).containsExactly(withOlder ? R7 : RuleSet.empty());
    }

    @Test
    void badFileIsReportedAndReplacedByTheNextSave() throws IOException {
        Path newest = saveTwo(true);
        Files.writeString(newest, "sluice-rules 1 garbage garbage garbage");

        assertThat(file.load()).contains(R7);
        assertThat(file.skipped())
                .extracting(Problem::toString)
                .containsExactly(newest + " was torn or changed, but must have the checksum that it names");

        file.save(R9);
        assertThat(file.load()).contains(R9);
        assertThat(file.skipped()).isEmpty();
    }

    @Test
    void fileOfANewerFormatIsPassedOver() throws IOException {
        Path newest = saveTwo(true);
        Files.writeString(newest, Files.readString(newest).replace("sluice-rules 1", "sluice-rules 2"));

        assertThat(file.load()).contains(R7);
    }

    @Test
    void rulesOfAnotherApplicationAreNeverUsed() {
        file.save(R7);
        LastGoodFile stranger = LastGoodFile.in(directory, "coupon");

        assertThat(stranger.load()).isEmpty();
        assertThat(stranger.skipped())
                .extracting(Problem::toString)
                .containsExactly(directory.resolve("rules-0") + " was of the application order, but must be of coupon");
    }

    @Test
    void directoryThatCannotBeMadeIsCountedAndNothingElse() throws IOException {
        Files.createDirectories(directory.getParent());
        Files.writeString(directory, "a file where the directory should be");

        file.save(R7);

        assertThat(file.failedWrites()).isEqualTo(1);
        assertThat(file.load()).isEmpty();
    }

    @Test
    void fileThatCannotBeReplacedLeavesTheOtherGeneration() throws IOException {
        file.save(R7);
        Files.createDirectories(directory.resolve("rules-1/in-the-way"));

        file.save(R8);

        assertThat(file.failedWrites()).isEqualTo(1);
        assertThat(file.load()).contains(R7);
        assertThat(file.skipped()).singleElement().asString().contains("rules-1 was unreadable");
    }

    @Test
    void applicationWithoutAUsableNameIsRefused() {
        assertThatThrownBy(() -> LastGoodFile.in(directory, "a b")).isInstanceOf(RefusedException.class);
    }

    private Path saveTwo(boolean withOlder) {
        if (withOlder) {
            file.save(R7);
        }
        file.save(R8);
        return directory.resolve(withOlder ? "rules-1" : "rules-0");
    }
}
