package io.sluice.cli.report;

import java.util.List;
import java.util.function.DoubleUnaryOperator;

/**
 * The frame of a drawing: its size, its margins, and where a value of either axis lies. Sizes are those of the SVG's own
 * units, which are pixels unless the page is narrow.
 */
final class Plot {
    private static final double TICK_TO_WORDS = 6;

    final double width;
    final double height;
    final double left;
    final double top;
    final double right;
    final double bottom;
    private final DoubleUnaryOperator x;
    private final DoubleUnaryOperator y;

    /** @param x,y from a value to its part of the axis, 0..1 */
    Plot(double width, double height, Margins margins, DoubleUnaryOperator x, DoubleUnaryOperator y) {
        this.width = width;
        this.height = height;
        this.left = margins.left;
        this.top = margins.top;
        this.right = width - margins.right;
        this.bottom = height - margins.bottom;
        this.x = x;
        this.y = y;
    }

    record Margins(double top, double right, double bottom, double left) {}

    /** A value of an axis with its words. */
    record Tick(double value, String words) {}

    double x(double value) {
        return left + x.applyAsDouble(value) * (right - left);
    }

    double y(double value) {
        return bottom - y.applyAsDouble(value) * (bottom - top);
    }

    /** An empty drawing with what it shows in words, for those who do not see it. */
    Html svg(String described) {
        return Html.of("svg")
                .with("viewBox", "0 0 " + Words.coordinate(width) + " " + Words.coordinate(height))
                .with("width", width)
                .with("height", height)
                .with("role", "img")
                .with("aria-label", described);
    }

    Html axisX(List<Tick> ticks, String title) {
        Html axis = Html.of("g").add(line("axis", left, bottom, right, bottom));
        for (Tick tick : ticks) {
            double at = x(tick.value);
            axis.add(line("axis", at, bottom, at, bottom + 4));
            axis.add(words("tick", at, bottom + 16, "middle", tick.words));
        }
        return axis.add(words("title", (left + right) / 2, bottom + 32, "middle", title));
    }

    Html axisY(List<Tick> ticks, String title) {
        Html axis = Html.of("g");
        for (Tick tick : ticks) {
            double at = y(tick.value);
            axis.add(line("grid", left, at, right, at));
            axis.add(words("tick", left - TICK_TO_WORDS, at + 4, "end", tick.words));
        }
        return axis.add(words("title", 0, 11, "start", title));
    }

    static Html line(String kind, double x1, double y1, double x2, double y2) {
        return Html.of("line")
                .with("class", kind)
                .with("x1", x1)
                .with("y1", y1)
                .with("x2", x2)
                .with("y2", y2);
    }

    static Html rectangle(String kind, double x1, double y1, double x2, double y2) {
        return Html.of("rect")
                .with("class", kind)
                .with("x", Math.min(x1, x2))
                .with("y", Math.min(y1, y2))
                .with("width", Math.abs(x2 - x1))
                .with("height", Math.abs(y2 - y1));
    }

    static Html path(String kind, String d) {
        return Html.of("path").with("class", kind).with("d", d);
    }

    static Html words(String kind, double x, double y, String anchor, String text) {
        return Html.of("text", text)
                .with("class", kind)
                .with("x", x)
                .with("y", y)
                .with("text-anchor", anchor);
    }

    /** A place as paths write it. */
    static String at(double x, double y) {
        return Words.coordinate(x) + " " + Words.coordinate(y);
    }

    /** The drawing of a verdict: a shape of its own for each, since not everybody tells the colours apart. */
    static Html mark(String health, double x, double y) {
        Html mark =
                switch (health) {
                    case "HEALTHY" ->
                        Html.of("circle").with("cx", x).with("cy", y).with("r", 5);
                    case "HOLD" -> rectangle("", x - 4.5, y - 4.5, x + 4.5, y + 4.5);
                    case "BREACH" ->
                        path("", "M" + at(x, y - 6.5) + "L" + at(x + 6.5, y + 5) + "L" + at(x - 6.5, y + 5) + "Z");
                    default ->
                        path(
                                "",
                                "M" + at(x, y - 6) + "L" + at(x + 6, y) + "L" + at(x, y + 6) + "L" + at(x - 6, y)
                                        + "Z");
                };
        return mark.with("class", "mark " + Words.kind(health));
    }
}
