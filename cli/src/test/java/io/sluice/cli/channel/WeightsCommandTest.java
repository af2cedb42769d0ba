package io.sluice.cli.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.Ran;
import io.sluice.testing.Requirement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Requirement({"F1", "F2"})
class WeightsCommandTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            --blue-percent 50                                        | {"blue":100,"green":100,"asked":50,"achieved":50}
            --blue-percent 25                                        | {"blue":33,"green":100,"asked":25,"achieved":24.81}
            --blue-percent 75                                        | {"blue":100,"green":33,"asked":75,"achieved":75.19}
            --blue-percent 0                                         | {"blue":0,"green":100,"asked":0,"achieved":0}
            --blue-percent 100%                                      | {"blue":100,"green":0,"asked":100,"achieved":100}
            --blue-percent 0.5                                       | {"blue":1,"green":100,"asked":0.5,"achieved":0.99}
            --blue-percent 50 --blue-instances 2 --green-instances 6 | {"blue":1000,"green":333,"asked":50,"achieved":50.03}
            """)
    void printsTheWeightsOfBothColors(String arguments, String json) {
        assertThat(Ran.sluice(("weights " + arguments).split(" "))).isEqualTo(Ran.printed(json));
    }

    @Test
    void aShareThatCannotBeMetIsToldOf() {
        assertThat(Ran.sluice("weights", "--blue-percent=30", "--blue-instances=0", "--green-instances=6"))
                .isEqualTo(new Ran(
                        0,
                        "{\"blue\":100,\"green\":100,\"asked\":30,\"achieved\":0}\n",
                        "note: 30% can't be met with these instances, it is 0%\n"));
    }

    @Test
    void everyBadArgumentIsNamed() {
        assertThat(Ran.sluice("weights", "--blue-percent=NaN", "--blue-instances=-1"))
                .isEqualTo(Ran.refused(
                        "--blue-percent was NaN, but must be within 0..100 with at most two decimals",
                        "--blue-instances was -1, but must be a whole number, at most ten digits",
                        "--green-instances was missing, but must be a whole number, at most ten digits"));
        assertThat(Ran.sluice("weights"))
                .isEqualTo(
                        Ran.refused("--blue-percent was missing, but must be within 0..100 with at most two decimals"));
    }

    @Test
    void noInstanceAtAllIsRefused() {
        assertThat(Ran.sluice("weights", "--blue-percent=1", "--blue-instances=0", "--green-instances=0"))
                .isEqualTo(
                        Ran.refused("--blue-instances and --green-instances was 0, but must be at least one instance of"
                                + " either color"));
    }
}
