package io.sluice.wire.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.migration.move.Progress;
import io.sluice.migration.plan.Side;
import io.sluice.migration.shadow.Difference;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the library of a migration finds out, as the reporter tells it. */
class FromTheLibraryTest {
    private static final Instant AT = Instant.parse("2026-11-30T09:00:00Z");

    @Test
    void progressIsToldAsItIs() {
        assertThat(MoveProgress.of(progress(3, Progress.State.MOVING)))
                .contains(new MoveProgress(70, 30, 2, 1, 13, OptionalLong.of(6), MoveProgress.State.MOVING));
    }

    @ParameterizedTest
    @EnumSource(Progress.State.class)
    void everyStateKeepsItsLabel(Progress.State state) {
        assertThat(MoveProgress.of(progress(3, state)).orElseThrow().state().label())
                .isEqualTo(state.label());
    }

    @Test
    void aMoverWithoutAPlanHasNothingToTell() {
        assertThat(MoveProgress.of(progress(0, Progress.State.PAUSED))).isEmpty();
    }

    @Test
    void aDifferenceKeepsItsIdWithinARunAndHasAnotherInTheNext() {
        ReportedDifference told = ReportedDifference.of("inventory@1-1", difference(1, "available"));

        assertThat(told.id())
                .isEqualTo(ReportedDifference.of("inventory@1-1", difference(1, "available"))
                        .id())
                .isNotEqualTo(ReportedDifference.of("inventory@1-1", difference(2, "available"))
                        .id())
                .isNotEqualTo(ReportedDifference.of("inventory@1-2", difference(1, "available"))
                        .id());
        assertThat(told).isEqualTo(new ReportedDifference(told.id(), "sku-1", "available", 7, Side.NEW, "5", "4", AT));
    }

    @Test
    void noNameOfAReadOrOfAProcessIsTooLong() {
        ReportedDifference told = ReportedDifference.of("i".repeat(256), difference(1, "r".repeat(500)));

        assertThat(told.read()).hasSize(128);
        assertThat(ReportedDifference.of("i", difference(1, "")).read()).isEqualTo("read");
    }

    private static Progress progress(long revision, Progress.State state) {
        return new Progress(revision, 70, 30, 2, 1, 4, 12.6, OptionalLong.of(6), state, List.of(), Optional.empty());
    }

    private static Difference difference(long id, String read) {
        return new Difference(id, "sku-1", read, 7, Side.NEW, "5", "4", AT);
    }
}
