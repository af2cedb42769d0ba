package io.sluice.cli.report;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Canary's share over time: a step for each weight, the verdict at its end, and what people did. */
final class WeightChart {
    private static final double WIDTH = 960;
    private static final double HEIGHT = 316;

    /** Above is room for the axis' title and, apart from it, for the names of actions. */
    private static final Plot.Margins MARGINS = new Plot.Margins(50, 16, 42, 44);

    private static final int MOST_TICKS = 10;
    private static final double CHARACTER = 6.2;
    private static final List<Plot.Tick> PERCENTS = List.of(
            new Plot.Tick(0, "0"),
            new Plot.Tick(25, "25"),
            new Plot.Tick(50, "50"),
            new Plot.Tick(75, "75"),
            new Plot.Tick(100, "100"));

    private final List<Step> steps;
    private final Instant begin;
    private final boolean isAborted;
    private final TimeAxis time;
    private final Plot plot;
    private final Html svg;

    private WeightChart(List<Step> steps, boolean isAborted) {
        this.steps = steps;
        this.begin = steps.get(0).from;
        this.isAborted = isAborted;
        double longest = steps.stream()
                .mapToDouble(step -> seconds(begin, step.to))
                .max()
                .orElse(0);
        this.time = TimeAxis.of(longest, MOST_TICKS);
        this.plot = new Plot(WIDTH, HEIGHT, MARGINS, time::part, percent -> percent / 100);
        this.svg = plot.svg("Canary's share over time. The table of the stages has the same numbers.");
    }

    /** Null when no stage is known to have begun. */
    static @Nullable Html of(List<StageLine> stages, List<JsonNode> journal, String outcome) {
        List<Step> steps = new ArrayList<>();
        for (StageLine stage : stages) {
            Instant from = stage.entered();
            Instant to = stage.end();
            if (from != null && to != null && stage.asked() >= 0 && stage.asked() <= 100) {
                steps.add(new Step(stage, from, to));
            }
        }
        if (steps.isEmpty()) {
            return null;
        }
        WeightChart chart = new WeightChart(steps, outcome.equals("aborted"));
        chart.draw(journal);
        return chart.svg;
    }

    private record Step(StageLine stage, Instant from, Instant to) {}

    private void draw(List<JsonNode> journal) {
        svg.add(plot.axisY(PERCENTS, "Canary's share, % of the customers"));
        pauses(journal);
        svg.add(plot.axisX(time.ticks(), time.unitName() + " since " + Words.time(begin)));
        weights();
        actions(journal);
    }

    private void pauses(List<JsonNode> journal) {
        Instant paused = null;
        for (JsonNode entry : journal) {
            Instant at = Json.time(entry.path("at"));
            if (at == null) {
                continue;
            }
            boolean isPaused = Json.text(entry.path("outcome")).startsWith("paused");
            if (isPaused && paused == null) {
                paused = at;
            } else if (!isPaused && paused != null) {
                pause(x(paused), x(at));
                paused = null;
            }
        }
        if (paused != null) {
            pause(x(paused), plot.right);
        }
    }

    private void pause(double from, double to) {
        svg.add(Plot.rectangle("pause", from, plot.top, to, plot.bottom));
        if (to - from > 50) {
            svg.add(Plot.words("tick", (from + to) / 2, plot.top + 12, "middle", "paused"));
        }
    }

    private void weights() {
        StringBuilder line = new StringBuilder("M" + Plot.at(x(begin), plot.y(0)));
        StringBuilder area = new StringBuilder(line);
        for (Step each : steps) {
            String step = "V" + Words.coordinate(plot.y(each.stage.asked())) + "H" + Words.coordinate(x(each.to));
            line.append(step);
            area.append(step);
        }
        String down = "V" + Words.coordinate(plot.y(0));
        svg.add(Plot.path("weight-area", area + down + "Z"));
        svg.add(Plot.path("weight", isAborted ? line + down : line.toString()));
        double free = plot.left;
        for (Step each : steps) {
            free = step(each, free);
        }
    }

    /** @return from where on there is room for words */
    private double step(Step step, double free) {
        StageLine stage = step.stage;
        double from = x(step.from);
        double to = x(step.to);
        double y = plot.y(stage.asked());
        String words = Words.percent(stage.asked());
        double middle = (from + to) / 2;
        double half = words.length() * CHARACTER / 2;
        double taken = free;
        if (middle - half >= free && middle + half <= plot.right) {
            svg.add(Plot.words("value", middle, y - 8, "middle", words));
            taken = middle + half + 4;
        }
        if (!stage.health().isEmpty()) {
            String title = words + ", " + stage.health() + " " + stage.reason();
            svg.add(Plot.mark(stage.health(), to, y).add(Html.of("title", title)));
        }
        return taken;
    }

    /** What was done, along the upper edge; the orchestrator's own steps are seen anyway. */
    private void actions(List<JsonNode> journal) {
        double free = plot.left;
        for (JsonNode entry : journal) {
            String action = Json.text(entry.path("action"));
            Instant at = Json.time(entry.path("at"));
            if (at == null
                    || List.of("create", "advance", "complete", "verdict").contains(action)) {
                continue;
            }
            double x = x(at);
            double half = action.length() * CHARACTER / 2;
            double middle = Math.min(Math.max(x, plot.left + half), plot.right - half);
            svg.add(Plot.line("action", x, plot.top - 5, x, plot.bottom)
                    .add(Html.of("title", action + " by " + Json.text(entry.path("actor")))));
            if (middle - half >= free) {
                svg.add(Plot.words("tick", middle, plot.top - 9, "middle", action));
                free = middle + half + 6;
            }
        }
    }

    private double x(Instant at) {
        return plot.x(Math.max(0, seconds(begin, at)));
    }

    private static double seconds(Instant from, Instant to) {
        return Duration.between(from, to).toMillis() / 1e3;
    }
}
