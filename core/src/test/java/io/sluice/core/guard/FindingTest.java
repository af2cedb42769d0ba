package io.sluice.core.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Requirement;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Requirement("B6")
class FindingTest {
    private static final Tick COUNTS = new Tick(310, 12, 9870, 40);

    @ParameterizedTest(name = "{0} of {1}")
    @CsvSource(delimiter = '|', textBlock = """
            2214     | 2000      | 2214 >= 2000
            999999   | 2000      | 999999 >= 2000
            1e6      | 800       | 1 million >= 800
            16.99e6  | 800       | 16 million >= 800
            999.99e6 | 800       | 999 million >= 800
            1e9      | 800       | over a billion >= 800
            1e300    | 800       | over a billion >= 800
            Infinity | 800       | over a billion >= 800
            16.99e6  | 16.5e6    | 16 million >= 16 million
            """)
    void evidenceIsSaidWithoutAnExponent(double evidence, double limit, String words) {
        assertThat(Finding.accusation("errors", evidence, limit, COUNTS))
                .isEqualTo("errors x9.6 of stable, evidence " + words + " (canary 12/310, stable 40/9870)");
    }
}
