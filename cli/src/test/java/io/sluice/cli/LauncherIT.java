package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The launcher in front of the packaged jar, in a copy of the installation whose build only takes the jar that is there. */
@Timeout(300)
class LauncherIT {
    private static final Path JAR =
            Path.of(System.getProperty("sluice.cli.jar")).toAbsolutePath();
    private static final Path SOURCES = JAR.getParent().getParent().getParent();
    private static final String OVERVIEW = "cli/src/main/resources/io/sluice/cli/overview.txt";

    @TempDir
    private Path home;

    @BeforeEach
    void install() throws IOException {
        Files.createDirectories(home.resolve(OVERVIEW).getParent());
        Files.copy(SOURCES.resolve(OVERVIEW), home.resolve(OVERVIEW));
        Files.copy(SOURCES.resolve("sluice"), home.resolve("sluice"));
        Files.writeString(home.resolve("mvnw"), "#!/bin/sh\nln -s " + JAR.getParent() + " cli/target\n");
        Files.setPosixFilePermissions(home.resolve("mvnw"), PosixFilePermissions.fromString("rwx------"));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            help > /dev/full                               | 2
            help >&-                                       | 2
            help <&-                                       | 0
            help 2>&-                                      | 0
            help < /dev/zero                               | 0
            tag uid=1 >&-                                  | 2
            tag uid=1 > /dev/full                          | 2
            tag uid=1 <&- 2>&-                             | 0
            tag nonsense 2>&-                              | 2
            """)
    void endsWithADocumentedCodeWhateverItIsConnectedTo(String arguments, int code) throws Exception {
        assertThat(launch(arguments).code()).isEqualTo(code);
    }

    @Test
    void closedInputIsEmpty() throws Exception {
        Ran ran = launch("split --salt=s --percent=10 --summary <&-");

        assertThat(ran.out()).startsWith("{\"total\":0,");
        assertThat(ran.code()).isZero();
    }

    @Test
    void aReaderThatHasEnoughIsNoFailure() throws Exception {
        Ran ran = launch("help | true; exit ${PIPESTATUS[0]}");

        assertThat(ran).isEqualTo(new Ran(0, "", ""));
    }

    @Test
    void aLockThatNobodyCouldSignIsTakenOver() throws Exception {
        lockedAt(Instant.now().minusSeconds(60));

        assertThat(launch("tag uid=1").code()).isZero();
        assertThat(home.resolve(".sluice/build.lock")).doesNotExist();
    }

    @Test
    void aLockWhoseHolderHasEndedIsTakenOver() throws Exception {
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();
        Files.writeString(lockedAt(Instant.now()).resolve("pid"), String.valueOf(ended.pid()));

        assertThat(launch("tag uid=1").code()).isZero();
    }

    private Path lockedAt(Instant made) throws IOException {
        Path lock = Files.createDirectories(home.resolve(".sluice/build.lock"));
        return Files.setLastModifiedTime(lock, FileTime.from(made));
    }

    /** Runs the launcher as a shell does that was given these arguments and redirections. */
    private Ran launch(String arguments) throws IOException, InterruptedException {
        Path out = home.resolve("out");
        Path err = home.resolve("err");
        ProcessBuilder shell = new ProcessBuilder("bash", "-c", "bash ./sluice " + arguments)
                .directory(home.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        shell.environment().put("JAVA_HOME", System.getProperty("java.home"));
        int code = shell.start().waitFor();
        return new Ran(
                code, Files.readString(out, StandardCharsets.UTF_8), Files.readString(err, StandardCharsets.UTF_8));
    }
}
