package io.sluice.migration.retirement.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.migration.retirement.check.Mark.Element;
import io.sluice.testing.Requirement;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.apache.maven.plugin.MojoFailureException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Requirement("I10")
class CheckMojoTest {
    private static final Mark OLD =
            new Mark(Element.CLASS, "shop.Old", "", "", "inventory", LocalDate.parse("2027-03-31"), "old branch", "");

    @ParameterizedTest(name = "{0}")
    @CsvSource(nullValues = "-", textBlock = """
            2027-02-28, -, -
            2027-03-01, class shop.Old (old branch of inventory) has to be deleted by 2027-03-31, in 30 days
            2027-03-30, class shop.Old (old branch of inventory) has to be deleted by 2027-03-31, in 1 day
            2027-03-31, class shop.Old (old branch of inventory) has to be deleted by 2027-03-31, today
            """)
    void warnsForThirtyDaysAndOnTheLastOne(LocalDate today, String warning, String when) {
        RetirementCheck check = RetirementCheck.on(today, 30, new Marks(List.of(OLD), List.of(), 1));

        assertThat(check.passes()).isTrue();
        assertThat(check.warnings()).isEqualTo(warning == null ? List.of() : List.of(warning + ", " + when));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"2027-04-01, 1 day", "2027-05-01, 31 days", "2028-03-31, 366 days"})
    void failsFromTheDayAfter(LocalDate today, String ago) {
        RetirementCheck check = RetirementCheck.on(today, 30, new Marks(List.of(OLD), List.of(), 1));

        assertThat(check.problems())
                .containsExactly(
                        "class shop.Old (old branch of inventory) had to be deleted by 2027-03-31, " + ago + " ago");
        assertThat(check.warnings()).isEmpty();
    }

    @Test
    void theDayIsThatOfUtc() {
        assertThatThrownBy(() -> at("2027-01-02T00:00:00Z").execute())
                .isInstanceOf(MojoFailureException.class)
                .hasMessageContaining(
                        "sample.OldBranch$Row (old branch of orders) had to be deleted by 2027-01-01, 1 day ago")
                .hasMessageContaining("NoDay.never() @Retire(after) was 2027-02-30")
                .hasMessageNotContaining("Wiring");
        assertThatThrownBy(() -> at("2027-01-01T23:59:59Z").execute())
                .hasMessageContaining("NoDay")
                .hasMessageNotContaining("OldBranch$Row");
    }

    private static CheckMojo at(String now) {
        return new CheckMojo(() -> Instant.parse(now), MarkReaderTest.sample().toFile());
    }
}
