package io.sluice.cli.demo;

import io.sluice.core.observation.Tally;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A small board, redrawn in place. For terminals that know the ANSI sequences. */
final class RedrawnView implements View {
    private static final String ESC = "\u001b[";
    private static final String BOLD = ESC + "1m";
    private static final String RED = ESC + "31m";
    private static final String GREEN = ESC + "32m";
    private static final String YELLOW = ESC + "33m";
    private static final String PLAIN = ESC + "0m";
    private static final String END_OF_LINE = ESC + "K";
    private static final String END_OF_SCREEN = ESC + "J";

    private final Progress progress;
    private int drawn;

    RedrawnView(Progress progress) {
        this.progress = progress;
    }

    @Override
    public void show(Moment moment) throws IOException {
        List<String> lines = lines(moment);
        String upwards = drawn == 0 ? "" : ESC + drawn + "F";
        progress.write(upwards + String.join(END_OF_LINE + "\n", lines) + END_OF_LINE + END_OF_SCREEN);
        drawn = lines.size();
    }

    private static List<String> lines(Moment moment) {
        ReleaseState release = moment.release();
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add("%s%s%s   %s   %s"
                .formatted(BOLD, release.id(), PLAIN, colored(release.phase()), clock(moment.sinceStart())));
        lines.add("  " + track(release) + "   " + Figure.held(release));
        lines.add(
                "  " + colored(release.health()) + " " + (release.why().isEmpty() ? release.verdict() : release.why()));
        lines.add("");
        lines.add(row("this stage", "lane", "requests", "failed", "P99"));
        for (LaneTotal total : moment.lanes()) {
            String failed = Figure.share(total.failed(), total.count());
            lines.add(row(
                    total.service(),
                    total.lane(),
                    Figure.count(total.count()),
                    failed,
                    Figure.millis(total.p99Millis())));
        }
        lines.add("");
        lines.add(row("customers", "stable", moment.client().stable()));
        lines.add(row("", "canary", moment.client().canary()));
        lines.add("  wrong versions %d   lost %d   fell back to stable %d   forged tags %d, believed %d"
                .formatted(
                        moment.client().wrong(),
                        moment.client().lost(),
                        moment.client().fallbacks(),
                        moment.client().forged(),
                        moment.client().believed()));
        lines.add("  %d processes, %s   %s"
                .formatted(moment.processes(), Figure.megabytes(moment.residentBytes()), moment.console()));
        return lines;
    }

    private static String row(String name, String lane, Tally tally) {
        String failed = Figure.share(tally.failed(), tally.count());
        return row(
                name,
                lane,
                Figure.count(tally.count()),
                failed,
                Figure.millis(tally.quantile(99).toMillis()));
    }

    private static String row(String name, String lane, String requests, String failed, String p99) {
        return "  %-12s %-8s %10s %8s %8s".formatted(name, lane, requests, failed, p99);
    }

    private static String track(ReleaseState release) {
        return release.stages().stream()
                .map(stage -> stage.equals(release.percent()) ? BOLD + "[" + stage + "%]" + PLAIN : stage + "%")
                .collect(Collectors.joining(" - "));
    }

    private static String colored(String word) {
        return switch (word) {
            case "HEALTHY", "completed" -> GREEN + word + PLAIN;
            case "BREACH", "aborted" -> RED + word + PLAIN;
            case "HOLD", "paused" -> YELLOW + word + PLAIN;
            default -> word;
        };
    }

    private static String clock(Duration time) {
        return "%d:%02d".formatted(time.toMinutes(), time.toSecondsPart());
    }
}
