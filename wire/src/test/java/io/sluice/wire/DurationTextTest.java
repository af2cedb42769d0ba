package io.sluice.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.problem.RefusedException;
import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationTextTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "0s,PT0S",
        "1ms,PT0.001S",
        "300ms,PT0.3S",
        "10s,PT10S",
        "90s,PT90S",
        "5m,PT5M",
        "1h,PT1H",
        "36h,PT36H",
        "2d,PT48H",
        "10000d,PT240000H"
    })
    void durationIsReadAndWritten(String text, Duration duration) {
        assertThat(DurationText.parse(text)).isEqualTo(duration);
        assertThat(DurationText.format(duration)).isEqualTo(text);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "",
                "10",
                "s",
                "-1s",
                "1.5s",
                "1 s",
                "1S",
                "PT1S",
                "1s ",
                "1w",
                "１s",
                "10001d",
                "999999999999d",
                "9999999999999ms"
            })
    void anythingElseIsRefused(String text) {
        assertThatThrownBy(() -> DurationText.parse(text))
                .isInstanceOf(RefusedException.class)
                .hasMessageEndingWith("but must be a duration like 300ms, 10s, 5m, 1h or 2d, at most 10000d");
    }

    @Test
    void partOfAMillisecondCountsAsAWholeOne() {
        assertThat(DurationText.format(Duration.ofNanos(1))).isEqualTo("1ms");
    }

    @Property
    void whatIsWrittenReadsBack(@ForAll @LongRange(min = 0, max = 864_000_000_000L) long millis) {
        Duration duration = Duration.ofMillis(millis);

        assertThat(DurationText.parse(DurationText.format(duration))).isEqualTo(duration);
    }
}
