package io.sluice.server.releases;

import io.sluice.core.release.Phase;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A phase as four columns.
 *
 * @param phase its label
 * @param stage null in a phase that is on no stage
 * @param heldNanos likewise
 * @param why null in a phase that needs no reason
 */
record PhaseColumns(
        String phase,
        @Nullable Integer stage,
        @Nullable Long heldNanos,
        @Nullable String why) {
    private static final int LONGEST_WHY = 1024;

    static PhaseColumns of(Phase phase) {
        if (phase instanceof Phase.Ramping ramping) {
            return new PhaseColumns(
                    phase.label(), ramping.stage(), ramping.held().toNanos(), null);
        }
        if (phase instanceof Phase.Paused paused) {
            return new PhaseColumns(phase.label(), paused.stage(), paused.held().toNanos(), kept(paused.why()));
        }
        String why = phase instanceof Phase.Aborted aborted ? kept(aborted.why()) : null;
        return new PhaseColumns(phase.label(), null, null, why);
    }

    static PhaseColumns from(ResultSet row) throws SQLException {
        return new PhaseColumns(
                row.getString("phase"),
                row.getObject("stage", Integer.class),
                row.getObject("held_nanos", Long.class),
                row.getString("why"));
    }

    /** In the order phase, stage, held_nanos, why. */
    List<@Nullable Object> values() {
        return Arrays.asList(phase, stage, heldNanos, why);
    }

    Phase toPhase() {
        return switch (phase) {
            case "draft" -> new Phase.Draft();
            case "ramping" -> new Phase.Ramping(requireStage(), held());
            case "paused" -> new Phase.Paused(requireStage(), held(), reason());
            case "completed" -> new Phase.Completed();
            case "aborted" -> new Phase.Aborted(reason());
            default ->
                throw new IllegalStateException("the database has a phase that this version does not know: " + phase);
        };
    }

    /** No reason may be so long that an abort cannot be saved. */
    private static String kept(String why) {
        if (why.length() <= LONGEST_WHY) {
            return why;
        }
        boolean parted = Character.isHighSurrogate(why.charAt(LONGEST_WHY - 1));
        return why.substring(0, parted ? LONGEST_WHY - 1 : LONGEST_WHY);
    }

    private int requireStage() {
        return Objects.requireNonNull(stage, "stage");
    }

    private Duration held() {
        return Duration.ofNanos(Objects.requireNonNull(heldNanos, "held_nanos"));
    }

    private String reason() {
        return Objects.requireNonNull(why, "why");
    }
}
