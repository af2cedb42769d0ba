package io.sluice.cli.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AxesTest {
    @ParameterizedTest(name = "{0} s")
    @CsvSource(delimiter = '|', textBlock = """
            0      | seconds | 0,0.1
            5      | seconds | 0,1,2,3,4,5
            90     | seconds | 0,20,40,60,80
            600    | minutes | 0,2,4,6,8,10
            7200   | minutes | 0,20,40,60,80,100,120
            86400  | hours   | 0,4,8,12,16,20,24
            2592000| days    | 0,5,10,15,20,25,30
            """)
    void timeHasWholeStepsOfOneUnit(double seconds, String unit, String ticks) {
        TimeAxis axis = TimeAxis.of(seconds, 6);

        assertThat(axis.unitName()).isEqualTo(unit);
        assertThat(words(axis.ticks())).isEqualTo(ticks);
    }

    @ParameterizedTest(name = "{0} of {1}")
    @CsvSource(delimiter = '|', textBlock = """
            0.5   | 3000 | ≤ 0.01,0.1,1,10,100,1,000,10⁴
            1e300 | 3000 | ≤ 0.01,1,100,10⁴,10⁶
            0.5   | 1000 | ≤ 0.01,0.1,1,10,100,1,000,10⁴
            0.5   | NaN  | ≤ 0.01,0.1,1,10
            """)
    void oddsEndWhereThereIsRoomAboveTheThreshold(double most, double threshold, String ticks) {
        assertThat(words(OddsAxis.of(List.of(most), threshold).ticks())).isEqualTo(ticks);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"0.01,0", "1e-9,0", "0,0", "1,0.3333", "100,0.6667", "10000,1", "1e300,1"})
    void equalRatiosAreEqualDistances(double odds, double part) {
        assertThat(OddsAxis.of(List.of(1.0), 3000).part(odds)).isEqualTo(part, within(1e-4));
    }

    @ParameterizedTest(name = "{0}..{1}")
    @CsvSource(delimiter = '|', textBlock = """
            0   | 800  | 0,200,400,600,800,1000
            0   | 0    | 0,0.25
            -3  | 1    | -3,-2,-1,0,1,2
            0   | 0.02 | 0,0.005,0.01,0.015,0.02,0.025
            """)
    void numbersHaveRoundStepsAndRoomAbove(double least, double most, String ticks) {
        assertThat(words(NumberAxis.of(least, most).ticks())).isEqualTo(ticks);
    }

    private static String words(List<Plot.Tick> ticks) {
        return String.join(",", ticks.stream().map(Plot.Tick::words).toList());
    }
}
