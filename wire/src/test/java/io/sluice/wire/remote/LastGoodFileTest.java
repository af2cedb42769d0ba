package io.sluice.wire.remote;

import static java.nio.charset.StandardCharsets.US_ASCII;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
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

    /** What may have become of a file: as it should be, not there, of another kind, or cut or changed at some byte. */
    private static List<byte[]> fates(byte[] whole) {
        List<byte[]> fates = new ArrayList<>();
        fates.add(null);
        fates.add(new byte[0]);
        fates.add("garbage".getBytes(US_ASCII));
        fates.add(new String(whole, US_ASCII)
                .replace("sluice-rules 1", "sluice-rules 2")
                .getBytes(US_ASCII));
        for (int at = 1; at < whole.length; at += 29) {
            fates.add(Arrays.copyOf(whole, at));
            byte[] flipped = whole.clone();
            flipped[at] ^= (byte) (1 << at % 8);
            fates.add(flipped);
        }
        fates.add(whole);
        return fates;
    }

    @Test
    void whateverBecameOfBothGenerationsOneWholeIsUsedOrNone() throws IOException {
        Path newest = saveTwo(true);
        Path older = directory.resolve("rules-0");
        byte[] wholeNewest = Files.readAllBytes(newest);
        byte[] wholeOlder = Files.readAllBytes(older);
        List<String> wrong = new ArrayList<>();

        for (byte[] one : fates(wholeOlder)) {
            put(older, one);
            for (byte[] other : fates(wholeNewest)) {
                put(newest, other);
                RuleSet best = other == wholeNewest ? R8 : one == wholeOlder ? R7 : RuleSet.empty();
                RuleSet loaded = file.load().orElse(RuleSet.empty());
                if (!loaded.equals(best)) {
                    wrong.add(loaded + " instead of " + best);
                }
            }
        }

        assertThat(wrong).isEmpty();
    }

    private static void put(Path path, byte[] bytes) throws IOException {
        if (bytes == null) {
            Files.deleteIfExists(path);
        } else {
            Files.write(path, bytes);
        }
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
