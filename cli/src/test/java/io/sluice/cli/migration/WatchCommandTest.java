package io.sluice.cli.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.release.FakeServer;
import io.sluice.cli.terminal.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The watch over a time of the test's own: each pause moves the clock. */
class WatchCommandTest {
    private static final String MOVING = MigrationCommandTest.view(7, 4, 25, "");
    private static final String DONE = MigrationCommandTest.view(7, 4, 25, "done");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final List<Duration> pauses = new ArrayList<>();
    private long nanos;
    private FakeServer server;

    @BeforeEach
    void start() throws IOException {
        server = new FakeServer();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void aLineASecondUntilItIsDone() {
        server.answersFirst(MOVING, MOVING);
        server.answers(200, "application/json", DONE);

        assertThat(watch(false)).isZero();
        assertThat(out().lines()).hasSize(3).last().asString().startsWith("inventory 25%  done  |");
        assertThat(pauses).containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(1));
    }

    @Test
    void aMoverThatIsDoneWithAnOlderPlanIsNotDone() {
        server.answersFirst(DONE.replace("\"behind\":0", "\"behind\":1"));
        server.answers(200, "application/json", DONE);

        assertThat(watch(false)).isZero();
        assertThat(pauses).hasSize(1);
    }

    @Test
    void theLastPauseEndsWithTheTime() {
        server.answers(200, "application/json", MOVING);

        assertThat(watch(false, "--timeout", "2500ms")).isEqualTo(11);
        assertThat(pauses).containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofMillis(500));
        assertThat(out().lines()).hasSize(4);
        assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo("not done within 2500ms\n");
    }

    @Test
    void aTerminalIsRedrawnInPlace() {
        server.answersFirst(MOVING);
        server.answers(200, "application/json", DONE);

        assertThat(watch(true)).isZero();
        assertThat(out()).startsWith("\r\u001b[Kinventory 25%").endsWith("\n").containsOnlyOnce("\n");
    }

    @Test
    void aServerThatIsAwayForAWhileIsWaitedForAndToldOnce() {
        server.answersFirst(MOVING);
        server.answers(503, "application/problem+json", "{\"title\":\"Unavailable\",\"status\":503}");

        assertThat(watch(false, "--timeout", "5s")).isEqualTo(11);
        assertThat(out().lines()).hasSize(1);
        assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo("Unavailable\nnot done within 5s\n");
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private int watch(boolean redraws, String... more) {
        Terminal terminal = new Terminal(InputStream.nullInputStream(), out, err, Map.of());
        WatchCommand command = new WatchCommand(
                terminal,
                () -> nanos,
                time -> {
                    pauses.add(time);
                    nanos += time.toNanos();
                },
                redraws);
        List<String> args = new ArrayList<>(List.of("inventory", "--format", "text", "--server", server.url()));
        args.addAll(List.of(more));
        return new CommandLine(command).execute(args.toArray(String[]::new));
    }
}
