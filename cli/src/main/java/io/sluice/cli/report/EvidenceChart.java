package io.sluice.cli.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Evidence over one stage as one reporter saw it, on a logarithmic axis with the threshold; a number of a metric source
 * has a chart of its own, on the axis of its unit.
 */
final class EvidenceChart {
    private static final double WIDTH = 460;
    private static final double HEIGHT = 230;
    private static final Plot.Margins MARGINS = new Plot.Margins(24, 104, 40, 50);
    private static final double BETWEEN_WORDS = 12;
    private static final double ROOM_FOR_WORDS = 60;

    private final List<MetricLine> lines;
    private final double threshold;
    private final TimeAxis time;

    private EvidenceChart(List<MetricLine> lines) {
        this.lines = lines;
        this.threshold = lines.get(0).limit();
        double longest = lines.stream()
                .flatMap(line -> line.points().stream())
                .mapToDouble(MetricLine.Point::seconds)
                .max()
                .orElse(0);
        this.time = TimeAxis.of(longest, 6);
    }

    /** One for each reporter, and for each threshold; lines without a curve are left out. */
    static List<Html> of(List<MetricLine> all) {
        Map<String, List<MetricLine>> charts = all.stream()
                .filter(line -> !line.points().isEmpty())
                .collect(Collectors.groupingBy(EvidenceChart::key, LinkedHashMap::new, Collectors.toList()));
        return charts.values().stream()
                .map(lines -> new EvidenceChart(lines).figure())
                .toList();
    }

    private static String key(MetricLine line) {
        String own = line.isOdds() ? "" : line.metric();
        return String.join("\n", line.reporter(), own, Double.toString(line.limit()));
    }

    private Html figure() {
        MetricLine first = lines.get(0);
        Html caption = Html.of("figcaption").add(Html.foreign(first.reporter()));
        return Html.of("figure").with("class", "evidence").add(caption).add(first.isOdds() ? odds() : number(first));
    }

    private Html odds() {
        List<Double> values = lines.stream()
                .flatMap(line -> line.points().stream())
                .map(MetricLine.Point::value)
                .toList();
        OddsAxis axis = OddsAxis.of(values, threshold);
        Plot plot = new Plot(WIDTH, HEIGHT, MARGINS, time::part, axis::part);
        Html svg = plot.svg(
                        "Evidence of " + lines.get(0).reporter() + " over the stage. The table has its last values.")
                .add(plot.axisY(axis.ticks(), "Evidence, odds (logarithmic)"));
        return draw(plot, svg, "threshold " + Words.evidence(threshold), "no tick yet");
    }

    private Html number(MetricLine line) {
        double most = line.points().stream()
                .mapToDouble(MetricLine.Point::value)
                .max()
                .orElse(0);
        NumberAxis axis = NumberAxis.of(
                line.points().stream()
                        .mapToDouble(MetricLine.Point::value)
                        .min()
                        .orElse(0),
                Double.isFinite(threshold) ? Math.max(most, threshold) : most);
        Plot plot = new Plot(WIDTH, HEIGHT, MARGINS, time::part, axis::part);
        Html svg = plot.svg(line.metric() + " over the stage. The table has its last value.")
                .add(plot.axisY(axis.ticks(), line.metric() + ", as its source gives it"));
        return draw(plot, svg, "limit " + Words.number(threshold), "no value yet");
    }

    private Html draw(Plot plot, Html svg, String thresholdWords, String emptyWords) {
        svg.add(before(plot, emptyWords));
        if (Double.isFinite(threshold)) {
            double y = plot.y(threshold);
            svg.add(Plot.rectangle("beyond", plot.left, plot.top, plot.right, y));
            svg.add(Plot.line("threshold", plot.left, y, plot.right, y));
            svg.add(Plot.words("threshold-words", plot.left + 5, y - 5, "start", thresholdWords));
        }
        svg.add(plot.axisX(time.ticks(), time.unitName() + " since the stage began"));
        // Those that count are drawn last, over those that are only shown.
        lines.stream().sorted(Comparator.comparing(MetricLine::critical)).forEach(line -> svg.add(curve(plot, line)));
        return svg.add(labels(plot));
    }

    /** The time before anything was known, so that a curve which begins late is not taken for one that is cut off. */
    private List<Html> before(Plot plot, String words) {
        double first = lines.stream()
                .mapToDouble(line -> line.points().get(0).seconds())
                .min()
                .orElse(0);
        double end = plot.x(first);
        if (end - plot.left < 1) {
            return List.of();
        }
        Html area = Plot.rectangle("before", plot.left, plot.top, end, plot.bottom);
        return end - plot.left < ROOM_FOR_WORDS
                ? List.of(area.add(Html.of("title", words)))
                : List.of(area, Plot.words("tick", (plot.left + end) / 2, plot.bottom - 6, "middle", words));
    }

    private static Html curve(Plot plot, MetricLine line) {
        StringBuilder d = new StringBuilder();
        for (MetricLine.Point point : line.points()) {
            d.append(d.length() == 0 ? 'M' : 'L').append(Plot.at(plot.x(point.seconds()), plot.y(point.value())));
        }
        return Plot.path("curve " + kind(line), line.points().size() == 1 ? d + "h0.1" : d.toString());
    }

    /** Each curve's name beside its end, pushed apart where they would lie on each other. */
    private List<Html> labels(Plot plot) {
        List<MetricLine> byHeight = lines.stream()
                .sorted(Comparator.comparingDouble(line -> plot.y(last(line).value())))
                .toList();
        double[] wanted = byHeight.stream()
                .mapToDouble(line -> plot.y(last(line).value()) + 4)
                .toArray();
        double[] placed = apart(wanted, plot.top + 4, plot.bottom + 4);
        List<Html> labels = new ArrayList<>();
        for (int i = 0; i < placed.length; i++) {
            MetricLine line = byHeight.get(i);
            double end = plot.x(last(line).seconds());
            labels.add(Plot.line("lead " + kind(line), end + 2, wanted[i] - 4, plot.right + 8, placed[i] - 4));
            labels.add(
                    Plot.words("label " + kind(line), plot.right + 11, placed[i], "start", shortened(line.metric())));
        }
        return labels;
    }

    /** Down the axis with a distance between, then up again from its end. */
    private static double[] apart(double[] wanted, double top, double bottom) {
        double[] placed = wanted.clone();
        for (int i = 0; i < placed.length; i++) {
            double least = i == 0 ? top : placed[i - 1] + BETWEEN_WORDS;
            placed[i] = Math.max(placed[i], least);
        }
        for (int i = placed.length - 1; i >= 0; i--) {
            double most = i == placed.length - 1 ? bottom : placed[i + 1] - BETWEEN_WORDS;
            placed[i] = Math.min(placed[i], most);
        }
        return placed;
    }

    private static MetricLine.Point last(MetricLine line) {
        return line.points().get(line.points().size() - 1);
    }

    private static String shortened(String name) {
        return name.length() <= 15 ? name : name.substring(0, 14) + "…";
    }

    private static String kind(MetricLine line) {
        String metric = MetricLine.ORDER.contains(line.metric()) ? line.metric() : "own";
        return metric + (line.critical() ? " critical" : " shown");
    }
}
