package io.sluice.server.observations;

import io.sluice.core.guard.Finding;
import java.util.List;

/**
 * How the evidence of one metric went on one step.
 *
 * @param last the newest finding
 * @param points its value over time, the oldest first, at most {@value Curve#MOST}
 */
public record EvidenceCurve(Finding last, List<Point> points) {
    public EvidenceCurve {
        points = List.copyOf(points);
    }

    /**
     * One point.
     *
     * @param second since the step began
     * @param value within 0.05 %; may be infinite, never NaN
     */
    public record Point(long second, double value) {}
}
