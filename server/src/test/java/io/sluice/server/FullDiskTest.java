package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.testing.NeedsProgram;
import io.sluice.testing.SmallDisk;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that is full for a moment; a real one, which only root may mount. */
@NeedsProgram(
        value = {"/usr/bin/mount", "/usr/bin/umount"},
        install = "apt-get install mount")
class FullDiskTest {
    @TempDir
    Path root;

    @Test
    void anAbortPassesAgainOnceThereIsSpace() throws Exception {
        try (SmallDisk disk = SmallDisk.mount(root, "1m");
                ChildServer server = ChildServer.start(root.resolve("data"))) {
            Api api = server.api();
            api.post("/api/v1/releases", Api.release("release", "service", "10m"));
            api.post("/api/v1/releases/release/start", "{}");
            disk.fill();
            await().until(() -> {
                api.post("/api/v1/releases/release/pause", "{\"why\":\"" + "w".repeat(400) + "\"}");
                api.post("/api/v1/releases/release/resume", "{}");
                return health(api) == 503;
            });

            disk.empty();

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
}
