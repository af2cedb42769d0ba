package io.sluice.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.decision.Lane;
import io.sluice.core.guard.Metric;
import io.sluice.core.release.Release;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TemplateTest {
    private final Release release = SampleMetrics.started("release-1");

    @ParameterizedTest
    @CsvSource({
        "lane,stable",
        "release,release-1",
        "version,v2.1",
        "step,1",
        "services,coupon|order[.]api",
        "window,37s"
    })
    void everyPlaceholderIsFilledIn(String placeholder, String value) {
        String template = "x{a=\"{{" + placeholder + "}}\",b='{{" + placeholder + "}}'}";

        assertThat(fill(template, Duration.ofSeconds(37))).isEqualTo("x{a=\"" + value + "\",b='" + value + "'}");
    }

    @Test
    void noPlaceholderThatAPlanMayHaveIsLeft() {
        for (String placeholder : Metric.PLACEHOLDERS) {
            assertThat(fill("{{" + placeholder + "}}", Duration.ZERO)).doesNotContain("{");
        }
    }

    @ParameterizedTest
    @CsvSource({"0,1s", "999,1s", "2999,2s", "300000,300s", "86400000,300s"})
    void theWindowIsTheTimeSinceTheStepBeganAndAtMostFiveMinutes(long millis, String shown) {
        assertThat(fill("[{{window}}]", Duration.ofMillis(millis))).isEqualTo("[" + shown + "]");
    }

    private String fill(String template, Duration elapsed) {
        return Template.fill(template, release, Lane.STABLE, elapsed);
    }
}
