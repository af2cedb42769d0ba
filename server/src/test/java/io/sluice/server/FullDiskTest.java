package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.testing.NeedsProgram;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that is full for a moment; a real one, which only root may mount. */
@NeedsProgram(
        value = {"/usr/bin/mount", "/usr/bin/umount"},
        install = "apt-get install mount")
class FullDiskTest {
    @TempDir
    Path disk;

    private boolean mounted;

    @BeforeEach
    void mount() throws Exception {
        mounted = run("/usr/bin/mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk.toString());
        assumeTrue(mounted, "this user may not mount a disk");
    }

    @AfterEach
    void unmount() throws Exception {
        if (mounted) {
            run("/usr/bin/umount", disk.toString());
        }
    }

    @Test
    void anAbortPassesAgainOnceThereIsSpace() throws Exception {
        try (ChildServer server = ChildServer.start(disk.resolve("data"))) {
            Api api = server.api();
            api.post("/api/v1/releases", Api.release("release", "service", "10m"));
            api.post("/api/v1/releases/release/start", "{}");
            Path filler = disk.resolve("filler");
            fill(filler);
            await().until(() -> {
                api.post("/api/v1/releases/release/pause", "{\"why\":\"" + "w".repeat(400) + "\"}");
                api.post("/api/v1/releases/release/resume", "{}");
                return health(api) == 503;
            });

            Files.delete(filler);

            await().until(() -> health(api) == 200);
            assertThat(api.post("/api/v1/releases/release/abort", "{\"why\":\"now\"}")
                            .status())
                    .isEqualTo(200);
            assertThat(api.get("/api/v1/audit/verify").body().path("whole").asBoolean())
                    .isTrue();
        }
    }

    private static int health(Api api) {
        return api.get("/actuator/health").status();
    }

    private static void fill(Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            while (true) {
                out.write(new byte[4096]);
            }
        } catch (IOException full) {
            assertThat(file).isNotEmptyFile();
        }
    }

    private static boolean run(String... command) throws Exception {
        return new ProcessBuilder(List.of(command))
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }
}
