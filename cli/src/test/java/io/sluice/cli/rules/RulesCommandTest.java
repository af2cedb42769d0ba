package io.sluice.cli.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.Ran;
import io.sluice.testing.Requirement;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Requirement("D6")
class RulesCommandTest {
    private static final String RULES = """
            {"format":1,"epoch":1,"revision":12,"releases":[
              {"id":"release-2026-10","version":"v2.1.0","services":["coupon","order","user"],"percent":25,
               "allow":["vip-1"],
               "rules":[{"name":"app","match":{"all":[{"channel":"app"},{"uidSuffix":"99"}]},"percent":50},
                        {"name":"beta","match":{"header":{"name":"X-Canary","value":"1"}},"percent":100},
                        {"name":"cookie","match":{"cookie":{"name":"canary","value":"1"}},"percent":100}]}]}
            """;

    @TempDir
    private Path dir;

    @Test
    void aGoodFileIsSummedUp() throws IOException {
        assertThat(Ran.sluice("rules", "lint", file(RULES))).isEqualTo(Ran.printed("{\"releases\":1,\"revision\":12}"));
        assertThat(Ran.fed(RULES, "rules", "lint", "-")).isEqualTo(Ran.printed("{\"releases\":1,\"revision\":12}"));
    }

    private static final String CHANNELS = """
            {"format":1,"revision":7,"releases":[],"channels":[
              {"id":"trade","services":["order"],"flow":{"release":"t1","version":"v2","admitted":"blue",
               "bluePercent":100,"step":1,"slowerThan":"1s"}},
              {"id":"user","services":["user"]}]}
            """;

    @Requirement("C3")
    @Test
    void channelsAreSummedUpAndExplainedToo() {
        assertThat(Ran.fed(CHANNELS, "rules", "lint", "-"))
                .isEqualTo(Ran.printed("{\"releases\":0,\"revision\":7,\"channels\":2}"));
        assertThat(Ran.fed(CHANNELS, "rules", "explain", "-", "--uid=42"))
                .isEqualTo(Ran.printed(
                        "{\"channel\":\"trade\",\"release\":\"t1\",\"color\":\"blue\",\"reason\":\"other_side_drained\"}",
                        "{\"channel\":\"user\",\"release\":null,\"color\":null,\"reason\":\"no_release\"}",
                        "{\"tag\":\"uid=42;version=stable\",\"colors\":\"trade%3Dblue\"}"));
        assertThat(Ran.fed(
                                CHANNELS.replace("\"bluePercent\":100", "\"bluePercent\":1"),
                                "rules",
                                "explain",
                                "-",
                                "--uid=42")
                        .out())
                .contains("\"reason\":\"bucket\"");
    }

    @Requirement("C3")
    @Test
    void problemsOfChannelsAreListed() {
        String bad = CHANNELS.replace("\"admitted\":\"blue\"", "\"admitted\":\"red\"")
                .replace("[\"user\"]", "[]");

        assertThat(Ran.fed(bad, "rules", "lint", "-").err().lines())
                .containsExactly(
                        "channels[0].flow.admitted was red, but must be blue or green",
                        "channels[1].services was empty, but must name at least one service");
    }

    @Test
    void everyProblemIsListed() throws IOException {
        String bad = RULES.replace("\"percent\":25", "\"percent\":120")
                .replace("\"v2.1.0\"", "\"stable\"")
                .replace("\"name\":\"beta\"", "\"name\":\"Beta!\"");

        Ran ran = Ran.sluice("rules", "lint", file(bad));

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err().lines())
                .containsExactlyInAnyOrder(
                        "releases[0].percent was 120, but must be within 0..100 with at most two decimals",
                        "releases[0].version was stable, but must be the new version, and 'stable' means every other one",
                        "releases[0].rules[1].name was Beta!, but must match [a-z0-9][a-z0-9._-]{0,63} (lower case)");
    }

    @Test
    void aMissingFileIsNamed() {
        assertThat(Ran.sluice("rules", "lint", "no/such.json"))
                .isEqualTo(Ran.refused("FILE was no/such.json, but must be a file that can be read, or -"));
        assertThat(Ran.sluice("rules", "lint", dir.toString()).code()).isEqualTo(2);
    }

    @Test
    void fiftyMegabytesAreRefusedByTheirSize() throws IOException {
        Path large = dir.resolve("large.json");
        try (RandomAccessFile sparse = new RandomAccessFile(large.toFile(), "rw")) {
            sparse.setLength(50_000_000);
        }

        assertThat(Ran.sluice("rules", "lint", large.toString()))
                .isEqualTo(Ran.refused("FILE was 50000000 bytes, but must be at most 1048576 bytes"));
        assertThat(Ran.fed(" ".repeat(1_048_577), "rules", "lint", "-"))
                .isEqualTo(Ran.refused("FILE was more than 1048576 bytes, but must be at most 1048576 bytes"));
    }

    @Test
    void oneSaltForTwoReleasesIsAWarning() {
        Ran same = Ran.fed(twoReleases("fnv1a-mixed", "s", "s"), "rules", "lint", "-");

        assertThat(same)
                .isEqualTo(new Ran(
                        0,
                        "{\"releases\":2,\"revision\":0}\n",
                        "warning: releases one and two have the same salt, so they take the same customers first; give"
                                + " each its own\n"));
    }

    @Test
    void sharedLowBitsAreAWarningUnderThePlainHashOnly() {
        Ran plain = Ran.fed(twoReleases("fnv1a", "release-0", "release-11"), "rules", "lint", "-");
        Ran mixed = Ran.fed(twoReleases("fnv1a-mixed", "release-0", "release-11"), "rules", "lint", "-");

        assertThat(plain.code()).isZero();
        assertThat(plain.err())
                .startsWith("warning: releases one and two have salts that share 5 low bits under fnv1a");
        assertThat(mixed.err()).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            --uid=vip-1                          | canary | customer_allowlist | uid=vip-1;version=v2.1.0;release=release-2026-10
            --uid=7                              | stable | weight             | uid=7;version=stable
            --uid=7 --header=x-canary:1          | canary | rule:beta          | uid=7;version=v2.1.0;release=release-2026-10
            --uid=7 --header=X-Canary:10         | stable | weight             | uid=7;version=stable
            --uid=7 --cookie=a=b --cookie=canary=1 | canary | rule:cookie      | uid=7;version=v2.1.0;release=release-2026-10
            --uid=7 --cookie=mycanary=1          | stable | weight             | uid=7;version=stable
            --header=X-Canary:1                  | canary | rule:beta          | version=v2.1.0;release=release-2026-10
            --request-id=r-1                     | stable | weight             | ''
            --uid=399 --channel=app              | stable | rule:app           | uid=399;channel=app;version=stable
            """)
    void explainsLaneAndReasonAndTheTag(String arguments, String lane, String reason, String tag) {
        Ran ran = Ran.fed(RULES, ("rules explain - " + arguments).split(" "));

        assertThat(ran.code()).isZero();
        assertThat(ran.out())
                .startsWith("{\"release\":\"release-2026-10\",\"version\":\"v2.1.0\",\"lane\":\"" + lane + "\"")
                .contains("\"reason\":\"" + reason + "\"}\n")
                .endsWith("{\"tag\":\"" + tag + "\"}\n");
    }

    @Test
    void everyBadPartOfTheRequestIsNamed() {
        Ran ran = Ran.fed(RULES, "rules", "explain", "-", "--uid=", "--header=X", "--cookie=y");

        assertThat(ran)
                .isEqualTo(Ran.refused(
                        "--uid was empty, but must have 1..256 bytes without control characters",
                        "--header was X, but must be like X-Canary:1",
                        "--cookie was y, but must be like canary=1"));
    }

    private String file(String content) throws IOException {
        return Files.writeString(dir.resolve("rules.json"), content).toString();
    }

    private static String twoReleases(String hash, String first, String second) {
        return String.format("""
                {"format":1,"releases":[
                  {"id":"one","version":"v2","services":["a"],"hash":"%1$s","salt":"%2$s","percent":1},
                  {"id":"two","version":"v2","services":["b"],"hash":"%1$s","salt":"%3$s","percent":1}]}
                """, hash, first, second);
    }
}
