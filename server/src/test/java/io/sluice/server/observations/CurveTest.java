package io.sluice.server.observations;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.observations.EvidenceCurve.Point;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CurveTest {
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 199, 200, 201, 399, 400, 5_000, 86_400})
    void aCurveHasItsFirstPointItsLastAndAtMostTwoHundred(long seconds) {
        Curve curve = counting(seconds);

        List<Point> points = curve.points();
        assertThat(points).hasSizeBetween((int) Math.min(seconds, 99), Curve.MOST);
        assertThat(points.get(0).second()).isZero();
        assertThat(points.get(points.size() - 1).second()).isEqualTo(seconds - 1);
        assertThat(points).extracting(Point::second).isSorted().doesNotHaveDuplicates();
        assertThat(points).allSatisfy(point -> assertThat(point.value()).isEqualTo(point.second() % 1000));
    }

    @Test
    void aCurveThatWasSavedGoesOnAlike() {
        Curve curve = counting(3_000);
        Curve restored = Curve.of(curve.points());

        LongStream.range(3_000, 9_000).forEach(second -> {
            curve.add(second, second % 1000);
            restored.add(second, second % 1000);
        });

        assertThat(restored.points()).hasSizeBetween(99, Curve.MOST);
        assertThat(restored.points().get(0)).isEqualTo(curve.points().get(0));
        assertThat(restored.points().get(restored.points().size() - 1)).isEqualTo(new Point(8_999, 999));
    }

    @Test
    void aPauseTakesNoPointsAway() {
        Curve curve = counting(100);
        curve.add(10_000, 1);

        Curve restored = Curve.of(curve.points());

        assertThat(restored.points().get(restored.points().size() - 1)).isEqualTo(new Point(10_000, 1));
        assertThat(restored.points().get(0)).isEqualTo(new Point(0, 0));
    }

    @Test
    void whatIsNoNumberIsNoPoint() {
        Curve curve = new Curve();
        curve.add(0, Double.NaN);
        assertThat(curve.points()).isEmpty();

        curve.add(1, Double.POSITIVE_INFINITY);
        curve.add(2, 0.123456);

        assertThat(curve.points()).containsExactly(new Point(1, Double.POSITIVE_INFINITY), new Point(2, 0.1235));
    }

    private static Curve counting(long seconds) {
        Curve curve = new Curve();
        LongStream.range(0, seconds).forEach(second -> curve.add(second, second % 1000));
        return curve;
    }
}
