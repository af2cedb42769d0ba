package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.core.rule.RuleState;
import io.sluice.server.deployers.Receiver;
import io.sluice.testing.NeedsProgram;
import io.sluice.testing.Requirement;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A real process with the SDK whose wall clock jumps by an hour, forward and back, while its monotonic clock goes on. */
@NeedsProgram(value = FakeClock.PROGRAM, install = FakeClock.INSTALL)
class ClockJumpTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration MINUTES = Duration.ofMinutes(10);

    @TempDir
    Path directory;

    private final Api api = LocalServer.api();
    private final Receiver observations = new Receiver();
    private FakeClock clock;
    private FollowingProcess process;

    @BeforeEach
    void start() throws IOException {
        clock = new FakeClock(directory.resolve("clock"));
        observations.replies(Receiver.answer(204, ""));
        process = new FollowingProcess(api.server(), observations.url(""), clock);
        awaitFollowed();
    }

    @AfterEach
    void stop() throws InterruptedException {
        process.close();
        observations.close();
        api.delete("/api/v1/workloads/" + FollowingProcess.INSTANCE);
    }

    @Test
    @Requirement("F13")
    void rulesStayFreshAndInOrderWhenTheClockJumps() {
        clock.jump(HOUR);
        startRelease();
        awaitFollowed();
        assertThat(process.standing().wallClock()).isAfter(Instant.now().plus(MINUTES));
        clock.jump(HOUR.negated());
        startRelease();
        awaitFollowed();

        FollowingProcess.Standing standing = process.standing();
        assertThat(standing.wallClock()).isBefore(Instant.now().minus(MINUTES));
        assertThat(standing.state()).isEqualTo(RuleState.FRESH);
        assertThat(standing.looks()).isPositive();
        assertThat(standing.notFresh()).isZero();
        assertThat(standing.setBack()).isZero();
    }

    @Test
    @Requirement("F13")
    void whatWaitsForItsNextAttemptIsSentThoughTheClockWasSetBack() {
        observations.replies(Receiver.answer(503, ""));
        long before = process.standing().failed();
        await().until(() -> process.standing().failed() > before);

        clock.jump(HOUR.negated());
        int refused = observations.got().size();
        observations.replies(Receiver.answer(204, ""));

        await().until(() -> observations.got().size() > refused + 2);
        assertThat(process.standing().wallClock()).isBefore(Instant.now().minus(MINUTES));
    }

    private void startRelease() {
        String id = LocalServer.name("release");
        assertThat(api.post("/api/v1/releases", Api.release(id, LocalServer.name("service"), "10m"))
                        .status())
                .isEqualTo(201);
        assertThat(api.post("/api/v1/releases/" + id + "/start", "{}").status()).isEqualTo(200);
    }

    /** It has the newest rules, and the server knows that it has. */
    private void awaitFollowed() {
        await().until(() -> {
            JsonNode workloads = api.get("/api/v1/workloads").body();
            return workloads
                    .path("workloads")
                    .valueStream()
                    .anyMatch(each -> each.path("instance").asString().equals(FollowingProcess.INSTANCE)
                            && each.path("applied").asBoolean());
        });
    }
}
