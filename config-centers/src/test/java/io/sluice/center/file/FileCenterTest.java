package io.sluice.center.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.sluice.center.CenterException;
import io.sluice.center.CenterRuleSource;
import io.sluice.center.ConfigCenter;
import io.sluice.center.ConfigCenterContract;
import io.sluice.center.RealCenter;
import io.sluice.center.Refusal;
import io.sluice.center.Rules;
import io.sluice.core.problem.RefusedException;
import io.sluice.testing.NeedsProgram;
import io.sluice.testing.Requirement;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Requirement("D4")
class FileCenterTest extends ConfigCenterContract {
    private static final Duration NEVER = Duration.ofHours(1);

    @TempDir
    static Path home;

    @TempDir
    Path own;

    @Override
    protected RealCenter startCenter() throws IOException {
        return new RealDirectory(home);
    }

    private Path file() {
        return ((RealDirectory) real).file(name);
    }

    /** As a kubelet does it: the file is a link into a directory that is swapped as a whole, and the old one is removed. */
    @Test
    void aMountedConfigMapIsFollowed() throws IOException {
        Path first = configMap("..first", Rules.envelope(R7));
        Files.createSymbolicLink(own.resolve("..data"), first.getFileName());
        Files.createSymbolicLink(own.resolve("rules.json"), Path.of("..data", "rules.json"));
        CenterRuleSource source = follow(CenterRuleSource.builder(FileCenter.of(own.resolve("rules.json")))
                .rereadEvery(NEVER));
        assertThat(source.current()).isEqualTo(R7);

        Path second = configMap("..second", Rules.envelope(R8));
        Files.createSymbolicLink(own.resolve("..data_tmp"), second.getFileName());
        Files.move(own.resolve("..data_tmp"), own.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
        Files.delete(first.resolve("rules.json"));
        Files.delete(first);

        await().until(() -> source.current().equals(R8));
    }

    private Path configMap(String version, byte[] document) throws IOException {
        Path directory = Files.createDirectory(own.resolve(version));
        Files.write(directory.resolve("rules.json"), document);
        return directory;
    }

    @Test
    void aChangeInPlaceIsSeenThoughLengthAndTimeStayTheSame() throws IOException {
        Path file = Files.writeString(own.resolve("rules"), "one");
        FileTime time = Files.getLastModifiedTime(file);
        AtomicInteger calls = new AtomicInteger();
        open(FileCenter.of(file)).watch(calls::incrementAndGet);
        await().until(() -> calls.get() == 1);

        Files.writeString(file, "two");
        Files.setLastModifiedTime(file, time);

        await().until(() -> calls.get() == 2);
    }

    @Test
    void aFileIsFoundOnceItsDirectoryIsThere() throws IOException {
        Path file = own.resolve("later").resolve("rules");
        ConfigCenter center = open(FileCenter.of(file));
        CenterRuleSource source =
                follow(CenterRuleSource.builder(FileCenter.of(file)).rereadEvery(NEVER));
        assertThat(center.read(WITHIN)).isEmpty();
        assertThatExceptionOfType(CenterException.class)
                .as("a disk that is not mounted is not to be written beside")
                .isThrownBy(() -> center.write(Rules.envelope(R7), WITHIN))
                .matches(unanswered -> !unanswered.isDenied());

        Files.createDirectory(file.getParent());
        center.write(Rules.envelope(R7), WITHIN);

        await().until(() -> source.current().equals(R7));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "rules.json", "./rules.json", "/", "/a\u0000b", "/a\nb"})
    void anAddressIsTheAbsolutePathOfAFile(String address) {
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> FileCenter.of(address))
                .withMessageContaining("must be the absolute path of a file, like /etc/sluice/rules.json");
    }

    @Test
    void aDirectoryIsRefusedAndWhatBecameOneIsNoAnswer() throws IOException {
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> FileCenter.of(own.toString()))
                .withMessageContaining(
                        own + ", a directory, but must be the absolute path of a file, like /etc/sluice/rules.json");

        Path file = own.resolve("rules");
        ConfigCenter center = open(FileCenter.of(file));
        Files.createDirectory(file);

        assertThatExceptionOfType(CenterException.class)
                .isThrownBy(() -> center.read(WITHIN))
                .withMessageContaining("a directory, not a file");
        assertThatExceptionOfType(CenterException.class).isThrownBy(() -> center.write(new byte[] {1}, WITHIN));
        assertThat(file).isEmptyDirectory();
    }

    @Test
    @Requirement("F11")
    void whatIsTooLargeIsNoRuleAndCanBeWrittenOver() throws IOException {
        put(R7);
        CenterRuleSource source = follow(impatient());
        await().until(() -> source.current().equals(R7));
        try (RandomAccessFile sparse = new RandomAccessFile(file().toFile(), "rw")) {
            sparse.setLength(50_000_000);
        }
        await().until(() -> source.refused(Refusal.MALFORMED) > 0);
        assertThat(source.lastRefusal()).singleElement().asString().contains("must be at most 2097152 bytes");

        byte[] seen = writer.read(WITHIN).orElseThrow();
        assertThat(writer.writeOver(seen, Rules.envelope(R8), WITHIN)).isTrue();

        await().until(() -> source.current().equals(R8));
    }

    @Test
    @NeedsProgram(value = "/usr/bin/mkfifo", install = "apt-get install coreutils")
    void aPipeHoldsUpNobody() throws Exception {
        Path pipe = own.resolve("rules");
        assertThat(new ProcessBuilder("/usr/bin/mkfifo", pipe.toString())
                        .start()
                        .waitFor())
                .isZero();

        assertThatExceptionOfType(CenterException.class)
                .isThrownBy(() -> open(FileCenter.of(pipe)).read(WITHIN))
                .withMessageContaining("no regular file");
    }

    @Test
    void whatIsNoEnvelopeIsKeptBesideTheFirstOneForGood() throws IOException {
        Path file = Files.writeString(own.resolve("notes.txt"), "a year of notes");
        FileCenter center = open(FileCenter.of(file));

        center.write(Rules.envelope(R7), WITHIN);
        center.write(Rules.envelope(R8), WITHIN);
        Files.writeString(file, "garbage");
        center.write(Rules.envelope(R9), WITHIN);

        assertThat(center.read(WITHIN)).contains(Rules.envelope(R9));
        assertThat(own.resolve("notes.txt.replaced")).hasContent("a year of notes");
    }

    @Test
    void aDirectoryThatIsNotThereIsNamed() {
        FileCenter center = open(FileCenter.of(own.resolve("missing").resolve("rules")));

        assertThatExceptionOfType(CenterException.class)
                .isThrownBy(() -> center.write(Rules.envelope(R7), WITHIN))
                .withMessageContaining("its directory is not there");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLinkStaysAndWhatItLeadsToIsWritten(boolean isThere) throws IOException {
        Path file = Files.createDirectory(own.resolve("disk")).resolve("rules");
        if (isThere) {
            Files.writeString(file, "old");
        }
        Path link = Files.createSymbolicLink(own.resolve("link"), Path.of("disk", "rules"));

        open(FileCenter.of(link)).write(Rules.envelope(R7), WITHIN);

        assertThat(link).isSymbolicLink();
        assertThat(file).isRegularFile().hasBinaryContent(Rules.envelope(R7));
    }

    @Test
    void linksThatLeadToThemselvesAreNoAnswer() throws IOException {
        Path one = own.resolve("one");
        Path two = Files.createSymbolicLink(own.resolve("two"), one);
        Files.createSymbolicLink(one, two);
        ConfigCenter center = open(FileCenter.of(one));

        assertThatExceptionOfType(CenterException.class).isThrownBy(() -> center.read(WITHIN));
        assertThatExceptionOfType(CenterException.class).isThrownBy(() -> center.write(new byte[] {1}, WITHIN));
    }

    /** Whoever read the old file reads the new one. */
    @Test
    void aFileKeepsItsPermissions() throws IOException {
        put(R7);
        Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-rw-r--"));

        put(R8);

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
                .isEqualTo("rw-rw-r--");
    }

    @Test
    void whatAKilledWriterLeftIsNeitherReadNorFollowedNorKept() throws IOException {
        Path file = own.resolve("rules");
        Path elsewhere = Files.writeString(own.resolve("elsewhere"), "not ours");
        Files.createSymbolicLink(own.resolve(".rules.next"), elsewhere);

        open(FileCenter.of(file)).write(Rules.envelope(R7), WITHIN);

        assertThat(elsewhere).hasContent("not ours");
        assertThat(file).isRegularFile().hasBinaryContent(Rules.envelope(R7));
        try (Stream<Path> left = Files.list(own)) {
            assertThat(left).containsExactlyInAnyOrder(file, elsewhere, own.resolve(".rules.lock"));
        }
    }

    /** Three writers, one of them in another process: of all that was counted nothing is lost. */
    @Test
    void writersDoNotOverwriteEachOther() throws Exception {
        Path file = Files.writeString(own.resolve("count"), "0");
        Process other = ChildProgram.start(List.of(), "count", file.toString(), "300");
        try {
            CompletableFuture<Void> one = CompletableFuture.runAsync(() -> ChildProgram.count(file, 300));
            CompletableFuture<Void> two = CompletableFuture.runAsync(() -> ChildProgram.count(file, 300));
            one.get(120, TimeUnit.SECONDS);
            two.get(120, TimeUnit.SECONDS);
            assertThat(other.waitFor(120, TimeUnit.SECONDS)).isTrue();
        } finally {
            other.destroyForcibly();
        }

        assertThat(other.exitValue()).isZero();
        assertThat(file).content(UTF_8).isEqualTo("900");
    }

    /** Without the right of the system's first user to read everything; who has no such right loses none. */
    @Test
    @Requirement({"F11", "T22"})
    @NeedsProgram(value = "/usr/bin/setpriv", install = "apt-get install util-linux")
    void whoMayNotReadKeepsItsRulesAndWhoMayNotWriteIsRefused() throws Exception {
        Path file = Files.write(Files.createDirectory(own.resolve("disk")).resolve("rules"), Rules.envelope(R7));
        boolean isFirstUser = Integer.valueOf(0).equals(Files.getAttribute(file, "unix:uid"));
        List<String> setpriv = List.of(
                "/usr/bin/setpriv",
                "--inh-caps=-dac_override,-dac_read_search",
                "--bounding-set=-dac_override,-dac_read_search");

        Process child = ChildProgram.start(isFirstUser ? setpriv : List.of(), "permissions", file.toString());
        try {
            assertThat(child.waitFor(180, TimeUnit.SECONDS)).isTrue();
        } finally {
            child.destroyForcibly();
        }

        assertThat(child.exitValue()).isZero();
    }

    @Test
    void askingOneThatIsClosedIsNoAnswer() {
        ConfigCenter center = real.connect(name);
        center.close();

        assertThatExceptionOfType(CenterException.class).isThrownBy(() -> center.read(WITHIN));
        center.watch(() -> {}).close();
        center.close();
    }
}
