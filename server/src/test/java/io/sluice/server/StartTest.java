package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Requirement;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    @ParameterizedTest(name = "{0} bytes of {1}")
    @CsvSource({"8192, garbage", "8192, zeros", "40, garbage"})
    void whatIsNoDatabaseIsSaidInOneLine(int bytes, String what) throws Exception {
        byte[] content = new byte[bytes];
        if (what.equals("garbage")) {
            new Random(7).nextBytes(content);
        }
        Path file = Files.write(data.resolve("sluice.mv.db"), content);

        Ended ended = run("--port", "0", "--data", data.toString());

        assertThat(ended.code).isEqualTo(2);
        assertThat(ended.err)
                .isEqualTo(file + " was unreadable, but must be a server's whole database; restore it from a backup\n");
        assertThat(ended.out).isEmpty();
        assertThat(file).hasBinaryContent(content);
    }

    @Test
    void anEmptyFileIsNoEmptyDatabase() throws Exception {
        Path file = Files.createFile(data.resolve("sluice.mv.db"));

        Ended ended = run("--port", "0", "--data", data.toString());

        assertThat(ended.code).isEqualTo(2);
        assertThat(ended.err).startsWith(file + " was empty, but must be the database that the server left there");
    }

    @Test
    void aTornDatabaseIsSaidInOneLine() throws Exception {
        ChildServer.start(data).close();
        Path file = data.resolve("sluice.mv.db");
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length / 3));

        Ended ended = run("--port", "0", "--data", data.toString());

        assertThat(ended.code).isEqualTo(2);
        assertThat(ended.err.lines()).singleElement().asString().startsWith(file + " was unreadable");
    }

    @Test
    void anotherMachinesAddressIsNamed() throws Exception {
        Ended ended = run("--port", "0", "--host", "192.0.2.1", "--data", data.toString());

        assertThat(ended.code).isEqualTo(2);
        assertThat(ended.err).isEqualTo("--host was 192.0.2.1, but must be an address of this machine\n");
    }

    @Test
    @Requirement("T10")
    void theDatabaseIsForItsOwnerOnly() throws Exception {
        Path made = data.resolve("made");
        try (ChildServer server = ChildServer.start(made)) {
            assertThat(server.lines()).isNotEmpty();
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
                    .isEqualTo("rwx------");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made.resolve("sluice.mv.db"))))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void wrongFlagsAreAllNamed() throws Exception {
        Ended ended = run("--port", "x", "--fast");

        assertThat(ended.code).isEqualTo(2);
        assertThat(ended.err.lines())
                .containsExactly(
                        "argument 3 was --fast, but must be one of --port, --host, --data, --db, --look-every",
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
