package io.sluice.server.observations;

import io.sluice.core.observation.Tally;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * One lane of one reporter over the last minutes, a point a second. Only the running second holds a histogram; when it is
 * over its few numbers stay. Used by one thread at a time.
 */
final class Series {
    private static final int KEPT_SECONDS = 600;

    private final Deque<Point> points = new ArrayDeque<>();
    private Tally running = Tally.empty();
    private long second;

    /** One second. */
    record Point(long second, long count, long failed, long p50Millis, long p99Millis) {
        static Point of(long second, Tally tally) {
            return new Point(
                    second,
                    tally.count(),
                    tally.failed(),
                    tally.quantile(50).toMillis(),
                    tally.quantile(99).toMillis());
        }
    }

    /** Adds to a second; a clock that was set back adds to the newest second there is. */
    void add(long nowSecond, Tally tally) {
        if (nowSecond > second) {
            seal();
            second = nowSecond;
        }
        running = running.merge(tally);
    }

    /** The points from a second on, the oldest first. */
    List<Point> since(long firstSecond) {
        List<Point> found = new ArrayList<>(points);
        if (running.count() > 0) {
            found.add(Point.of(second, running));
        }
        found.removeIf(point -> point.second() < firstSecond);
        return found;
    }

    private void seal() {
        if (running.count() > 0) {
            points.addLast(Point.of(second, running));
            running = Tally.empty();
        }
        while (!points.isEmpty() && points.getFirst().second() <= second - KEPT_SECONDS) {
            points.removeFirst();
        }
        if (points.size() > KEPT_SECONDS) {
            points.removeFirst();
        }
    }
}
