package io.sluice.core.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.decision.Percent;
import io.sluice.testing.Requirement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class PhaseTest {
    private static final Plan PLAN = SampleRelease.PLAN;
    private static final Duration SERVED = Duration.ofSeconds(3);

    private static final Phase DRAFT = new Phase.Draft();
    private static final Phase FIRST = new Phase.Ramping(0, SERVED);
    private static final Phase SECOND = new Phase.Ramping(1, SERVED);
    private static final Phase LAST = new Phase.Ramping(4, SERVED);
    private static final Phase PAUSED_FIRST = new Phase.Paused(0, SERVED, "before");
    private static final Phase PAUSED_SECOND = new Phase.Paused(1, SERVED, "before");
    private static final Phase PAUSED_LAST = new Phase.Paused(4, SERVED, "before");
    private static final Phase HELD_TOO_LONG = new Phase.Paused(1, Duration.ofMinutes(30), "on hold");
    private static final Phase COMPLETED = new Phase.Completed();
    private static final Phase ABORTED = new Phase.Aborted("before");

    static List<Arguments> allowed() {
        return List.of(
                Arguments.of(DRAFT, Command.START, new Phase.Ramping(0, Duration.ZERO)),
                Arguments.of(DRAFT, Command.ABORT, new Phase.Aborted("why")),
                Arguments.of(FIRST, Command.START, FIRST),
                Arguments.of(FIRST, Command.PAUSE, new Phase.Paused(0, SERVED, "why")),
                Arguments.of(FIRST, Command.RESUME, FIRST),
                Arguments.of(FIRST, Command.PROMOTE, new Phase.Ramping(1, Duration.ZERO)),
                Arguments.of(FIRST, Command.ABORT, new Phase.Aborted("why")),
                Arguments.of(SECOND, Command.START, SECOND),
                Arguments.of(SECOND, Command.PAUSE, new Phase.Paused(1, SERVED, "why")),
                Arguments.of(SECOND, Command.RESUME, SECOND),
                Arguments.of(SECOND, Command.PROMOTE, new Phase.Ramping(2, Duration.ZERO)),
                Arguments.of(SECOND, Command.BACK, new Phase.Paused(0, Duration.ZERO, "why")),
                Arguments.of(SECOND, Command.ABORT, new Phase.Aborted("why")),
                Arguments.of(LAST, Command.PROMOTE, COMPLETED),
                Arguments.of(LAST, Command.BACK, new Phase.Paused(3, Duration.ZERO, "why")),
                Arguments.of(PAUSED_FIRST, Command.PAUSE, PAUSED_FIRST),
                Arguments.of(PAUSED_FIRST, Command.RESUME, FIRST),
                Arguments.of(HELD_TOO_LONG, Command.RESUME, new Phase.Ramping(1, SampleRelease.HOLD)),
                Arguments.of(PAUSED_FIRST, Command.PROMOTE, new Phase.Ramping(1, Duration.ZERO)),
                Arguments.of(PAUSED_FIRST, Command.ABORT, new Phase.Aborted("why")),
                Arguments.of(PAUSED_SECOND, Command.PAUSE, PAUSED_SECOND),
                Arguments.of(PAUSED_SECOND, Command.RESUME, SECOND),
                Arguments.of(PAUSED_SECOND, Command.PROMOTE, new Phase.Ramping(2, Duration.ZERO)),
                Arguments.of(PAUSED_SECOND, Command.BACK, new Phase.Paused(0, Duration.ZERO, "why")),
                Arguments.of(PAUSED_SECOND, Command.ABORT, new Phase.Aborted("why")),
                Arguments.of(PAUSED_LAST, Command.PROMOTE, COMPLETED),
                Arguments.of(COMPLETED, Command.ABORT, new Phase.Aborted("why")),
                Arguments.of(ABORTED, Command.ABORT, ABORTED));
    }

    @Requirement({"A8", "F21", "F24", "F31"})
    @ParameterizedTest(name = "{0} on {1}")
    @MethodSource("allowed")
    void aCommandLeadsToTheNextPhase(Phase phase, Command command, Phase next) {
        assertThat(phase.on(command, PLAN, "why")).isEqualTo(next);
    }

    static List<Arguments> refused() {
        String draft = "cannot %s a release that is draft; what it takes now: start or abort";
        String paused = "cannot %s a release that is paused; what it takes now: resume, promote, back or abort";
        String completed = "cannot %s a release that is completed; what it takes now: abort, as long as the stable"
                + " instances still run the old version";
        String aborted = "cannot %s a release that is aborted; what it takes now: nothing: an abort is final, and"
                + " another attempt is a new release with its own id";
        String first = "it is on its first stage: pause or abort it";
        return List.of(
                Arguments.of(DRAFT, Command.PAUSE, draft),
                Arguments.of(DRAFT, Command.RESUME, draft),
                Arguments.of(DRAFT, Command.PROMOTE, draft),
                Arguments.of(DRAFT, Command.BACK, draft),
                Arguments.of(FIRST, Command.BACK, "cannot %s a release that is ramping; " + first),
                Arguments.of(PAUSED_FIRST, Command.BACK, "cannot %s a release that is paused; " + first),
                Arguments.of(PAUSED_FIRST, Command.START, paused),
                Arguments.of(COMPLETED, Command.START, completed),
                Arguments.of(COMPLETED, Command.PAUSE, completed),
                Arguments.of(COMPLETED, Command.RESUME, completed),
                Arguments.of(COMPLETED, Command.PROMOTE, completed),
                Arguments.of(COMPLETED, Command.BACK, completed),
                Arguments.of(ABORTED, Command.START, aborted),
                Arguments.of(ABORTED, Command.PAUSE, aborted),
                Arguments.of(ABORTED, Command.RESUME, aborted),
                Arguments.of(ABORTED, Command.PROMOTE, aborted),
                Arguments.of(ABORTED, Command.BACK, aborted));
    }

    @Requirement({"A8", "F21"})
    @ParameterizedTest(name = "{0} on {1}")
    @MethodSource("refused")
    void anyOtherCommandIsRefusedWithTheOnesItTakes(Phase phase, Command command, String message) {
        assertThatThrownBy(() -> phase.on(command, PLAN, "why"))
                .isInstanceOf(CommandRefusedException.class)
                .hasMessage(message.formatted(command.label()));
    }

    static List<Arguments> phases() {
        return List.of(
                Arguments.of(DRAFT, "draft", Percent.ZERO, false, false),
                Arguments.of(FIRST, "ramping", Percent.of(1), true, false),
                Arguments.of(LAST, "ramping", Percent.HUNDRED, true, false),
                Arguments.of(PAUSED_SECOND, "paused", Percent.of(5), true, false),
                Arguments.of(COMPLETED, "completed", Percent.HUNDRED, true, true),
                Arguments.of(ABORTED, "aborted", Percent.ZERO, false, true));
    }

    @Requirement("C1")
    @ParameterizedTest(name = "{0}")
    @MethodSource("phases")
    void eachPhaseHasItsShare(Phase phase, String label, Percent percent, boolean live, boolean over) {
        assertThat(phase.label()).isEqualTo(label);
        assertThat(phase.percent(PLAN)).isEqualTo(percent);
        assertThat(phase.isLive()).isEqualTo(live);
        assertThat(phase.isOver()).isEqualTo(over);
        assertThat(phase.allowed()).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource({"START, start", "BACK, back"})
    void aCommandIsNamedByItsLabel(Command command, String label) {
        assertThat(command.label()).isEqualTo(label);
    }
}
