package io.sluice.cli.demo.bluegreen;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.stream.Collectors;

/** One moment of one channel on one line, with a bar of twenty: full where blue has the traffic. */
final class ChannelLine {
    private static final int WIDTH = 20;
    private static final int PERCENT_A_CELL = 100 / WIDTH;

    private ChannelLine() {}

    static String of(ChannelState state, ChannelLedger.Figures seen) {
        String sides = state.sides().stream()
                .map(side -> "%s %s %d/%d".formatted(side.color(), side.versions(), side.ready(), side.instances()))
                .collect(Collectors.joining(", "));
        String waits = state.waitingFor().isEmpty()
                ? ""
                : "   waits: " + state.waitingFor().get(0);
        return "%-9s %s %3s%% blue  %-22s %s   lost %d, crossed %d%s%s"
                .formatted(
                        state.channel(),
                        bar(state.bluePercent()),
                        state.bluePercent(),
                        state.at() + (state.held().isEmpty() ? "" : " " + state.held()),
                        sides,
                        seen.lost() + failed(seen),
                        seen.crossed(),
                        state.verdict().isEmpty() ? "" : "   " + state.verdict(),
                        waits);
    }

    private static long failed(ChannelLedger.Figures seen) {
        return seen.answers().failed() - seen.lost();
    }

    /** Any share at all shows. */
    private static String bar(String percent) {
        BigDecimal share = percent.isEmpty() ? BigDecimal.ZERO : new BigDecimal(percent);
        int full = share.divide(BigDecimal.valueOf(PERCENT_A_CELL), 0, RoundingMode.CEILING)
                .intValue();
        return "[" + "#".repeat(full) + ".".repeat(WIDTH - full) + "]";
    }
}
