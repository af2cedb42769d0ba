package io.sluice.core.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.problem.RefusedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MetricTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "up",
                "sum(x{lane=\"{{lane}}\",release=\"{{release}}\",version=\"{{version}}\"})",
                "rate(x{step=\"{{step}}\",service=~\"{{services}}\"}[{{window}}])",
                "x{a=\"}}\"}"
            })
    void aTemplateMayHaveEveryKnownPlaceholder(String query) {
        assertThat(new Metric.Limit(query, 1).query()).isEqualTo(query);
    }

    @ParameterizedTest
    @CsvSource({
        "x{a=\"{{lanes}}\"},{{lanes}}",
        "x{a=\"{{ lane }}\"},{{ lane }}",
        "x{a=\"{{}}\"},{{}}",
        "x{a=\"{{lane\"},'{{lane\"}'",
        "x{a=\"{{lane}}{{lane\"},'{{lane\"}'"
    })
    void anUnknownPlaceholderIsRefusedByItsName(String query, String named) {
        assertThatThrownBy(() -> new Metric.Limit(query, 1))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining(
                        "query was " + named + ", but must have between double braces only lane, release, services,");
    }

    @Test
    void bothCountersAreLookedAt() {
        assertThatThrownBy(() -> new Metric.Counters("bad_{{lane}}_{{x}}", "{{lane}}_{{y}}"))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("bad was {{x}}")
                .hasMessageContaining("total was {{y}}");
    }
}
