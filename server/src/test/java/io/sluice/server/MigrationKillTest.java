package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.migrations.Reports;
import io.sluice.testing.Requirement;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A server that is killed right after it has confirmed something of a migration. */
class MigrationKillTest {
    private static final String PATH = "/api/v1/migrations/inventory";

    @TempDir
    Path data;

    @Test
    @Requirement({"I6", "I8"})
    void whatWasConfirmedIsThereAfterAKillAndNothingCountsTwice() throws Exception {
        LocalDate today = LocalDate.now(ZoneOffset.UTC);
        String first = Reports.json(Reports.differing(
                Reports.of("inventory@a:1", 2, 2, Reports.day(today, Reports.counts(1_000, 3, 50, 1))),
                List.of(Reports.difference("d1", "sku-1", Instant.now()))));
        String second =
                Reports.json(Reports.of("inventory@b:1", 1, 1, Reports.day(today, Reports.counts(500, 0, 0, 0))));
        JsonNode before;
        try (ChildServer server = ChildServer.start(data)) {
            Api api = server.api();
            assertThat(api.post("/api/v1/migrations", "{\"name\":\"inventory\",\"why\":\"w\"}")
                            .status())
                    .isEqualTo(201);
            assertThat(api.post(PATH, "{\"why\":\"w\",\"newPercent\":5,\"alsoNew\":[\"sku-a\"]}")
                            .status())
                    .isEqualTo(200);
            assertThat(api.post(PATH + "/reports", second).status()).isEqualTo(200);
            before = api.get(PATH).body();
            assertThat(api.post(PATH + "/reports", first).status()).isEqualTo(204);
            server.kill();
        }

        try (ChildServer server = ChildServer.start(data)) {
            Api api = server.api();
            JsonNode after = api.get(PATH).body();
            assertThat(after.path("version").asLong()).isEqualTo(2);
            assertThat(after.path("newPercent")).isEqualTo(before.path("newPercent"));
            assertThat(after.path("alsoNew")).isEqualTo(before.path("alsoNew"));
            assertThat(after.path("days").get(0).path("newSuccesses").asLong()).isEqualTo(1_500);

            // The process did not hear that it was kept, so it tells the same again.
            assertThat(api.post(PATH + "/reports", first).status()).isEqualTo(204);
            assertThat(api.get(PATH)
                            .body()
                            .path("days")
                            .get(0)
                            .path("newSuccesses")
                            .asLong())
                    .isEqualTo(1_500);
            assertThat(api.get(PATH + "/differences").body().path("differences"))
                    .hasSize(1);
            assertThat(api.get("/api/v1/audit/verify").body().path("whole").asBoolean())
                    .isTrue();
        }
    }
}
