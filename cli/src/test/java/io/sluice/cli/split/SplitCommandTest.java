package io.sluice.cli.split;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.Ran;
import io.sluice.testing.Requirement;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SplitCommandTest {
    private static final String CUSTOMERS = IntStream.range(0, 100_000)
            .mapToObj(n -> String.format("c-%07d\n", n))
            .collect(Collectors.joining());
    private static final String KEY = "must be UTF-8, a key of 1..256 bytes without control characters";

    @ParameterizedTest(name = "{0} %")
    @Requirement({"A1", "A9"})
    @CsvSource({
        "1,  1088,  98912, 1.088,  0.088",
        "5,  5049,  94951, 5.049,  0.049",
        "10, 10088, 89912, 10.088, 0.088",
        "25, 25098, 74902, 25.098, 0.098",
        "50, 50079, 49921, 50.079, 0.079",
    })
    void reproducesThePublishedFigures(String percent, long canary, long stable, String observed, String error) {
        Ran ran = Ran.fed(
                CUSTOMERS, "split", "--hash", "fnv1a", "--salt", "release-2026-10", "--percent", percent, "--summary");

        assertThat(ran)
                .isEqualTo(Ran.printed(String.format(
                        "{\"total\":100000,\"canary\":%d,\"stable\":%d,\"observedPercent\":%s,\"errorPp\":%s}",
                        canary, stable, observed, error)));
    }

    @Test
    @Requirement("A1")
    void printsLaneBucketAndReasonOfEachKey() {
        Ran ran = Ran.fed(
                "c-0000000\nc-0000001\nvip-1\n",
                "split",
                "--hash=fnv1a",
                "--salt=release-2026-10",
                "--percent=10",
                "--allow=vip-1");

        assertThat(ran)
                .isEqualTo(Ran.printed(
                        "c-0000000\tcanary\t343\tweight",
                        "c-0000001\tstable\t2724\tweight",
                        "vip-1\tcanary\t1690\tcustomer_allowlist"));
    }

    @Test
    void theMixedHashIsTheDefault() {
        Ran mixed = Ran.fed("c-1\n", "split", "--salt=s", "--percent=10", "--hash=fnv1a-mixed");

        assertThat(Ran.fed("c-1\n", "split", "--salt=s", "--percent=10")).isEqualTo(mixed);
    }

    @ParameterizedTest(name = "{0} %")
    @Requirement("A3")
    @CsvSource({"0, 0", "100, 100000"})
    void theEndsSendEverybodyOneWay(String percent, long canary) {
        Ran ran = Ran.fed(CUSTOMERS, "split", "--salt", "s", "--percent", percent, "--summary");

        assertThat(ran.out()).startsWith("{\"total\":100000,\"canary\":" + canary + ",");
    }

    @Test
    @Requirement("A8")
    void abortSilencesTheAllowlist() {
        Ran ran = Ran.fed("vip-1\n", "split", "--salt=s", "--percent=100", "--allow=vip-1", "--abort=manual");

        assertThat(ran.out()).startsWith("vip-1\tstable\t").endsWith("\tabort:manual\n");
    }

    @Test
    void linesMayEndAsOnWindowsOrNotAtAll() {
        Ran unix = Ran.fed("a\nb\n", "split", "--salt=s", "--percent=10");

        assertThat(Ran.fed("a\r\nb\r\n", "split", "--salt=s", "--percent=10")).isEqualTo(unix);
        assertThat(Ran.fed("a\nb", "split", "--salt=s", "--percent=10")).isEqualTo(unix);
    }

    @Test
    void keysAreComparedAsSent() {
        Ran ran = Ran.fed(" 42\n42\n発布\n", "split", "--salt=s", "--percent=10");

        assertThat(ran.out().lines().map(line -> line.substring(0, line.indexOf('\t'))))
                .containsExactly(" 42", "42", "発布");
    }

    @Test
    void sharesOfNobodyAreNull() {
        assertThat(Ran.fed("", "split", "--salt=s", "--percent=10", "--summary"))
                .isEqualTo(Ran.printed(
                        "{\"total\":0,\"canary\":0,\"stable\":0,\"observedPercent\":null,\"errorPp\":null}"));
    }

    @ParameterizedTest(name = "{0}")
    @Requirement("A3")
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            --percent= --salt=s                    | --percent was empty, but must be within 0..100 with at most two decimals      | -
            --percent=101 --salt=s                 | --percent was 101, but must be within 0..100 with at most two decimals        | -
            --percent=-1 --salt=s                  | --percent was -1, but must be within 0..100 with at most two decimals         | -
            --percent=NaN --salt=s                 | --percent was NaN, but must be within 0..100 with at most two decimals        | -
            --percent=0.001 --salt=s               | --percent was 0.001, but must be within 0..100 with at most two decimals      | -
            --percent=1e1 --salt=s                 | --percent was 1e1, but must be within 0..100 with at most two decimals        | -
            --percent=10                           | --salt was missing, but must have 1..256 characters, and differ from release to release | -
            --salt=s                               | --percent was missing, but must be within 0..100 with at most two decimals    | -
            --percent=10 --salt=s --hash=md5       | --hash was md5, but must be fnv1a or fnv1a-mixed                              | -
            --percent=10 --salt=s --allow=         | --allow was an empty id, but must be ids of 1..256 bytes without control characters                    | -
            --percent=10 --salt=s --abort=         | --abort was empty, but must say why, in 1..500 characters without control characters | -
            --percent=x --salt= --hash=fnv1a       | --percent was x, but must be within 0..100 with at most two decimals          | --salt was empty, but must have 1..256 characters, and differ from release to release
            """)
    void everyBadOptionIsNamed(String arguments, String first, String second) {
        Ran ran = Ran.fed("a\n", ("split " + arguments).split(" "));

        assertThat(ran).isEqualTo(second == null ? Ran.refused(first) : Ran.refused(first, second));
    }

    @Test
    void linesThatAreNoKeysAreNamedAndTheOthersPrinted() {
        String tooLong = "x".repeat(257);
        Ran good = Ran.fed("a\nb\n", "split", "--salt=s", "--percent=10");

        Ran ran = Ran.fed("a\n\n" + tooLong + "\nx\ty\nb\n", "split", "--salt=s", "--percent=10");

        assertThat(ran)
                .isEqualTo(new Ran(
                        2,
                        good.out(),
                        "line 2 was empty, but " + KEY + "\n" + "line 3 was 257 bytes, but " + KEY + "\n"
                                + "line 4 was x\\u0009y, but " + KEY + "\n"));
    }

    @Test
    void aSummaryOfBadLinesIsNotPrinted() {
        byte[] malformed = "a\n\u00e9\n".getBytes(StandardCharsets.ISO_8859_1);

        Ran ran = Ran.with(Map.of(), malformed, "split", "--salt=s", "--percent=10", "--summary");

        assertThat(ran).isEqualTo(Ran.refused("line 2 was not UTF-8, but " + KEY));
    }

    @Test
    void aByteOrderMarkIsNoPartOfAKey() {
        Ran ran = Ran.fed("\ufeffa\n", "split", "--salt=s", "--percent=10", "--summary");

        assertThat(ran).isEqualTo(Ran.refused("line 1 was \\ufeffa, but " + KEY));
    }

    @Test
    void tenBadLinesAreNamedAndTheRestCounted() {
        Ran ran = Ran.fed("\n".repeat(25), "split", "--salt=s", "--percent=10");

        assertThat(ran.err().lines()).hasSize(11).last().isEqualTo("and 15 more bad lines");
    }
}
