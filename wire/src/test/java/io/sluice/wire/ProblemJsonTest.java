package io.sluice.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.problem.Problem;
import io.sluice.core.problem.RefusedException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProblemJsonTest {
    @Test
    void reportIsWrittenInTheProblemShapeAndReadsBack() {
        ProblemReport report = ProblemReport.of(
                400,
                "Bad input",
                List.of(
                        new Problem("plan.hold", "1 s", "must be a duration"),
                        new Problem("id", "empty", "must match")));

        byte[] json = ProblemJson.write(report);

        assertThat(new String(json, UTF_8)).isEqualTo("""
                        {"title":"Bad input","status":400,\
                        "detail":"plan.hold was 1 s, but must be a duration; id was empty, but must match",\
                        "problems":[{"path":"plan.hold","was":"1 s","allowed":"must be a duration"},\
                        {"path":"id","was":"empty","allowed":"must match"}]}""");
        assertThat(ProblemJson.read(json)).isEqualTo(report);
    }

    @Test
    void errorPageOfAProxyIsNoReport() {
        assertThatThrownBy(() -> ProblemJson.read("<html>502</html>".getBytes(UTF_8)))
                .isInstanceOf(RefusedException.class);
    }
}
