package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How the process starts, and how it refuses to. */
class StartTest {
    @TempDir
    Path data;

    @Test
    void theFirstStartShowsATokenOnceAndKeepsOnlyItsHash() throws Exception {
        String token;
        try (ChildServer first = ChildServer.startFresh(data)) {
            assertThat(first.lines()).hasSize(2);
            assertThat(first.lines().get(0)).matches("Sluice setup token \\(shown once\\): [A-Za-z0-9_-]{43}");
            token = first.lines().get(0).substring("Sluice setup token (shown once): ".length());

            Api.Answer whoami = first.api().withToken(token).get("/api/v1/whoami");

            assertThat(whoami.body().path("name").asString()).isEqualTo("setup");
        }
        try (ChildServer second = ChildServer.startFresh(data)) {
            assertThat(second.lines()).hasSize(1);
            assertThat(second.api().withToken(token).get("/api/v1/whoami").status())
                    .isEqualTo(200);
        }
        assertThat(new String(Files.readAllBytes(data.resolve("sluice.mv.db")), StandardCharsets.ISO_8859_1))
                .doesNotContain(token);
    }

    @Test
    void aPortInUseIsSaidInOneLine() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            Ended ended = run("--port", String.valueOf(taken.getLocalPort()), "--data", data.toString());

            assertThat(ended.code).isEqualTo(2);
            assertThat(ended.err)
                    .isEqualTo("port " + taken.getLocalPort()
                            + " was in use, but must be free; choose another with --port\n");
            assertThat(ended.out).isEmpty();
        }
    }

    @Test
    void dataInUseIsSaidInOneLine() throws Exception {
        try (ChildServer first = ChildServer.start(data)) {
            assertThat(first.lines()).isNotEmpty();

            Ended ended = run("--port", "0", "--data", data.toString());

            assertThat(ended.code).isEqualTo(2);
            assertThat(ended.err).isEqualTo("--data was " + data + ", but must not be in use by another server\n");
        }
    }

    static Stream<Arguments> damages() {
        return Stream.of(
                Arguments.of("empty", new byte[0]),
                Arguments.of("garbage", "no database".repeat(1000).getBytes(StandardCharsets.UTF_8)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("damages")
    void aFileThatIsNoDatabaseIsSaidInOneLineAndLeftAlone(String name, byte[] content) throws Exception {
        Path file = Files.write(data.resolve("sluice.mv.db"), content);

        Ended ended = run("--port", "0", "--data", data.toString());

        assertThat(ended.code).isEqualTo(2);
        assertThat(ended.err.lines()).hasSize(1);
        assertThat(ended.err).startsWith("--data was " + file).contains("must be a whole database of this server");
        assertThat(file).hasBinaryContent(content);
    }

    @Test
    void aTruncatedDatabaseIsSaidInOneLine() throws Exception {
        ChildServer.start(data).close();
        Path file = data.resolve("sluice.mv.db");
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, 6000));

        Ended ended = run("--port", "0", "--data", data.toString());

        assertThat(ended.code).isEqualTo(2);
        assertThat(ended.err.lines()).hasSize(1);
        assertThat(ended.err).startsWith("--data was " + file);
    }

    @Test
    void aFileInPlaceOfTheDirectoryIsSaidInOneLine() throws Exception {
        Path file = Files.createFile(data.resolve("file"));

        Ended ended = run("--port", "0", "--data", file.toString());

        assertThat(ended.code).isEqualTo(2);
        assertThat(ended.err).isEqualTo("--data was " + file + ", but must be a directory to write in\n");
    }

    @Test
    void aForeignAddressNamesTheHost() throws Exception {
        Ended ended = run("--port", "0", "--host", "192.0.2.1", "--data", data.toString());

        assertThat(ended.code).isEqualTo(2);
        assertThat(ended.err).isEqualTo("--host was 192.0.2.1, but must be an address of this machine\n");
    }

    @Test
    void aDatabaseThatDoesNotAnswerIsSaidInOneLineWithoutItsPassword() throws Exception {
        Ended ended = run("--port", "0", "--db", "jdbc:postgresql://127.0.0.1:1/x?password=secret");

        assertThat(ended.code).isEqualTo(2);
        assertThat(ended.err.lines()).hasSize(1);
        assertThat(ended.err)
                .startsWith("--db was jdbc:postgresql://127.0.0.1:1/x,")
                .doesNotContain("secret");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-h", "--help"})
    void helpIsGivenForTheAsking(String flag) throws Exception {
        Ended ended = run(flag);

        assertThat(ended.code).isZero();
        assertThat(ended.out).startsWith("usage: sluice server");
        assertThat(ended.err).isEmpty();
    }

    @Test
    @EnabledOnOs({OS.LINUX, OS.MAC})
    void onlyTheOwnerLooksIntoTheData() throws Exception {
        Path made = data.resolve("made/here");

        ChildServer.start(made).close();

        assertThat(Files.getPosixFilePermissions(made)).isEqualTo(PosixFilePermissions.fromString("rwx------"));
        assertThat(Files.getPosixFilePermissions(made.resolve("sluice.mv.db")))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    void wrongFlagsAreAllNamed() throws Exception {
        Ended ended = run("--port", "x", "--fast");

        assertThat(ended.code).isEqualTo(2);
        assertThat(ended.err.lines())
                .containsExactly(
                        "argument 3 was --fast, but must be one of --port, --host, --data, --db, --look-every, --allowed-hosts, --prometheus, --metrics-every, --publish-to, --signing-key",
                        "--port was x, but must be a number within 0..65535");
    }

    private record Ended(int code, String out, String err) {}

    private Ended run(String... arguments) throws Exception {
        Path err = Files.createTempFile(data.getParent(), "stderr", ".txt");
        Process process =
                ChildServer.command(arguments).redirectError(err.toFile()).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = process.waitFor();
        String said = Files.readString(err);
        Files.delete(err);
        return new Ended(code, out, said);
    }
}
