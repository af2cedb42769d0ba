package io.sluice.cli.demo.bluegreen;

import io.sluice.cli.demo.Figure;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What came of the demo, for people. */
final class ChannelReport {
    private static final String STEP = "  %-10s %8s %10s %7s %10s %8s %8s";

    private final List<ChannelState> ends;
    private final ChannelLedger.Figures client;

    ChannelReport(List<ChannelState> ends, ChannelLedger.Figures client) {
        this.ends = ends;
        this.client = client;
    }

    String text() {
        List<String> lines = new ArrayList<>();
        lines.add("");
        for (ChannelState end : ends) {
            lines.add("release %s of channel %s: %s".formatted(end.id(), end.channel(), end.at()));
            if (!end.why().isEmpty()) {
                lines.add("  because " + end.why());
            }
        }
        lines.add("");
        lines.add("share of blue at each step, of the requests that entered the channel");
        lines.add(STEP.formatted("channel", "asked", "achieved", "off", "by chance", "blue", "green"));
        for (ChannelLedger.Step step : client.steps()) {
            lines.add(STEP.formatted(
                    step.channel(),
                    step.blue(),
                    percent(step.achievedPercent()),
                    points(Math.abs(step.achievedPercent() - step.askedPercent())),
                    "+-" + points(step.chance()),
                    Figure.count(step.blueRequests()),
                    Figure.count(step.greenRequests())));
        }
        lines.add("");
        lines.add("what the customers saw");
        lines.add("  requests: %s   failed: %d   lost: %d   calls across colors: %d   P99: %s"
                .formatted(
                        Figure.count(client.answers().count()),
                        client.answers().failed() - client.lost(),
                        client.lost(),
                        client.crossed(),
                        Figure.millis(client.answers().quantile(99).toMillis())));
        lines.add("  calls across colors, as the processes themselves counted them: " + crossedByProcesses());
        client.samples().forEach(sample -> lines.add("    " + sample));
        return String.join("\n", lines);
    }

    /** @param mustNotFail whether the new version was a good one, so that no request may fail either */
    boolean isClean(boolean mustNotFail) {
        return client.lost() == 0
                && client.crossed() == 0
                && crossedByProcesses() == 0
                && (!mustNotFail || client.answers().failed() == 0);
    }

    /** What is not as it had to be. */
    List<String> faults(BlueGreenSettings settings) {
        List<String> faults = new ArrayList<>();
        for (ChannelState end : ends) {
            String promised = settings.promisedPhase(end.channel());
            if (!end.phase().equals(promised)) {
                faults.add("release %s had to be %s".formatted(end.id(), promised));
            }
        }
        if (!isClean(settings.fault().isEmpty())) {
            faults.add("no request may be lost, fail by the release, or be served by both colors of a channel");
        }
        if (ends.size() < ChannelLineup.CHANNELS.size()) {
            faults.add("every channel had to be released");
        }
        return faults;
    }

    private long crossedByProcesses() {
        return ends.stream().mapToLong(ChannelState::crossed).sum();
    }

    private static String points(double points) {
        return String.format(Locale.ROOT, "%.1f", points);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f%%", share);
    }
}
