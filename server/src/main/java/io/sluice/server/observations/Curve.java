package io.sluice.server.observations;

import io.sluice.server.observations.EvidenceCurve.Point;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A number over time, in bounded memory: when there are too many points, every second one goes and from then on half as
 * many come. The newest is always there. Used by one thread at a time.
 */
final class Curve {
    static final int MOST = 200;
    private static final MathContext SHOWN = new MathContext(4);

    private final List<Point> kept = new ArrayList<>();
    private long every = 1;
    private @Nullable Point newest;

    /** One that goes on from its points, as far apart as so long a curve has them. */
    static Curve of(List<Point> points) {
        Curve curve = new Curve();
        long span = points.isEmpty()
                ? 0
                : points.get(points.size() - 1).second() - points.get(0).second();
        while (span / curve.every >= MOST - 1) {
            curve.every *= 2;
        }
        points.forEach(point -> curve.add(point.second(), point.value()));
        return curve;
    }

    /** Adds a point; what is no number is none. */
    void add(long second, double value) {
        if (Double.isNaN(value)) {
            return;
        }
        Point point = new Point(second, rounded(value));
        newest = point;
        if (kept.isEmpty() || second - kept.get(kept.size() - 1).second() >= every) {
            kept.add(point);
        }
        if (kept.size() >= MOST) {
            halve();
        }
    }

    List<Point> points() {
        List<Point> all = new ArrayList<>(kept);
        if (newest != null && !newest.equals(all.get(all.size() - 1))) {
            all.add(newest);
        }
        return all;
    }

    private void halve() {
        List<Point> half = new ArrayList<>();
        for (int i = 0; i < kept.size(); i += 2) {
            half.add(kept.get(i));
        }
        kept.clear();
        kept.addAll(half);
        every *= 2;
    }

    private static double rounded(double value) {
        return Double.isFinite(value) ? new BigDecimal(value).round(SHOWN).doubleValue() : value;
    }
}
