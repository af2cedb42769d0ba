package io.sluice.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.core.decision.Lane;
import io.sluice.core.observation.LaneTally;
import io.sluice.core.observation.ObservationKey;
import io.sluice.core.observation.Tally;
import io.sluice.core.problem.Problem;
import io.sluice.core.problem.RefusedException;
import io.sluice.wire.ObservationBatch.Entry;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ObservationBatchJsonTest {
    private static final String JSON = """
            {"instance":"order@127.0.0.1:8081","service":"order","version":"v2.1.0","run":123,"sequence":7,\
            "entries":[{"release":"release-2026-10","step":3,"lane":"canary","count":10,"failed":1,"slow":0,\
            "latencies":{"120":4,"133":6}}]}""";

    @Test
    void batchIsReadAndWrittenBackByteForByte() {
        ObservationBatch batch = ObservationBatchJson.read(JSON.getBytes(UTF_8));

        assertThat(batch)
                .isEqualTo(new ObservationBatch(
                        "order@127.0.0.1:8081",
                        "order",
                        "v2.1.0",
                        7,
                        123,
                        List.of(new Entry(
                                new ObservationKey("release-2026-10", 3, Lane.CANARY),
                                LaneTally.of(new Tally(10, 1, 0, new TreeMap<>(Map.of(120, 4L, 133, 6L))))))));
        assertThat(batch.requests()).isEqualTo(10);
        assertThat(new String(ObservationBatchJson.write(batch), UTF_8)).isEqualTo(JSON);
    }

    @Test
    void numbersThatContradictEachOtherAreRefusedWithTheirPath() {
        List<Problem> problems =
                problemsOf(JSON.replace("\"count\":10", "\"count\":5").replace("\"failed\":1", "\"failed\":6"));

        assertThat(problems)
                .extracting(Problem::toString)
                .containsExactly(
                        "entries[0].failed was 6, but must be within 0..count",
                        "entries[0].latencies was 10 in sum, but must sum to count, 5");
    }

    @Test
    void allProblemsAreNamedAtOnceEachWithItsPath() {
        List<Problem> problems = problemsOf("""
                {"instance":"a b","service":"","version":"v 2","run":-1,"sequence":1.5,
                 "entries":[{"release":"R","step":-3,"lane":"green","count":1000000001,"failed":"1","slow":null,
                             "latencies":{"x":4,"133":-6}}]}
                """);

        assertThat(problems)
                .extracting(Problem::path)
                .containsExactly(
                        "instance",
                        "service",
                        "version",
                        "run",
                        "sequence",
                        "entries[0].release",
                        "entries[0].step",
                        "entries[0].lane",
                        "entries[0].count",
                        "entries[0].failed",
                        "entries[0].slow",
                        "entries[0].latencies");
    }

    private static List<Problem> problemsOf(String json) {
        return catchThrowableOfType(RefusedException.class, () -> ObservationBatchJson.read(json.getBytes(UTF_8)))
                .problems();
    }
}
