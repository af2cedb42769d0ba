package io.sluice.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.sluice.core.release.ReleaseSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The releases that the documents show as examples are releases. */
class ExamplesTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource({"release.json, 5, 0", "four-phases.json, 7, 0", "prometheus.json, 5, 2"})
    void anExampleIsTakenByReaderAndSchema(String file, int stages, int metrics) throws IOException {
        String json = Files.readString(Path.of("..", "docs", "examples", file));

        ReleaseSpec spec = ReleaseSpecJson.readStrict(json.getBytes(UTF_8));

        assertThat(spec.plan().stages()).hasSize(stages);
        assertThat(spec.plan().metrics()).hasSize(metrics);
        try (var schema = ReleaseSpecJson.class.getResourceAsStream("release.schema.json")) {
            assertThat(SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                            .getSchema(new String(schema.readAllBytes(), UTF_8))
                            .validate(json, InputFormat.JSON))
                    .isEmpty();
        }
    }

    @Test
    void theExampleOfAChannelIsTakenByReaderAndSchema() throws IOException {
        String json = Files.readString(Path.of("..", "docs", "examples", "blue-green.json"));

        assertThat(ChannelReleaseSpecJson.readRequest(json.getBytes(UTF_8)).channel())
                .isEqualTo("trade");
        try (var schema = ReleaseSpecJson.class.getResourceAsStream("channel-release.schema.json")) {
            assertThat(SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                            .getSchema(new String(schema.readAllBytes(), UTF_8))
                            .validate(json, InputFormat.JSON))
                    .isEmpty();
        }
    }
}
