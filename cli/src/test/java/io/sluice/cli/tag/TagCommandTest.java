package io.sluice.cli.tag;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.Ran;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TagCommandTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            uid=10086;channel=app;version=v2.1.0;release=release-2026-10 | 10086 | app | v2.1.0 | release-2026-10
            uid=1;version=stable                                         | 1     | ''  | stable | ''
            uid=%E5%BC%A0%3B1                                            | 张;1   | ''  | stable | ''
            version=v2,v3;release=a,b                                    | ''    | ''  | v2,v3  | a,b
            """)
    void printsTheParts(String value, String uid, String channel, String version, String release) {
        assertThat(Ran.sluice("tag", value))
                .isEqualTo(Ran.printed(String.format(
                        "{\"uid\":\"%s\",\"channel\":\"%s\",\"version\":\"%s\",\"release\":\"%s\"}",
                        uid, channel, version, release)));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            ''                    | tag was empty, but must be pairs like uid=1;version=v2;release=r2
            nonsense              | tag has 'nonsense', but must be pairs like uid=1;version=v2
            uid=1; version=v1; release=r | tag has ' version=v1', but must be pairs like uid=1;version=v2
            uid=a%0Ab             | tag has the value a\\u000ab, but must have 1..256 bytes without control characters
            uid=1;uid=2           | tag has uid twice, but must have it once
            uid=%zz               | tag has a bad escape, but must be percent-encoded UTF-8
            uid=%C0%AE            | tag has a bad escape, but must be percent-encoded UTF-8
            version=v2            | tag has version=v2 and release=, but must have both or neither
            version=v2,v3;release=a | tag has 2 versions and 1 releases, but must have as many of each
            """)
    void saysWhatIsWrong(String value, String problem) {
        assertThat(Ran.sluice("tag", value)).isEqualTo(Ran.refused(problem));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            trade%3Dblue%26user%3Dgreen | {"trade":"blue","user":"green"}
            user=green&trade=blue       | {"trade":"blue","user":"green"}
            """)
    void printsTheColorInEachChannel(String value, String json) {
        assertThat(Ran.sluice("tag", "--colors", value)).isEqualTo(Ran.printed(json));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            ''                   | nothing
            trade=red            | 1 entries that are none
            trade%3Dblue%26%zz   | 1 entries that are none
            a=blue&a=green&b=x   | 2 entries that are none
            """)
    void saysWhatIsWrongWithColors(String value, String had) {
        assertThat(Ran.sluice("tag", "--colors", value))
                .isEqualTo(Ran.refused("colors had " + had + ", but must be pairs like trade=blue&user=green,"
                        + " percent-encoded as a whole or not at all, each channel with one color"));
    }

    @Test
    void anOverlongTagIsRefusedByItsLength() {
        assertThat(Ran.sluice("tag", "uid=" + "1".repeat(4093)))
                .isEqualTo(Ran.refused("tag was 4097 characters, but must be at most 4096"));
    }

    @Test
    void aValueThatBeginsWithAnAtSignIsNoFileOfArguments() {
        assertThat(Ran.sluice("tag", "@/etc/hostname").err()).startsWith("tag has '@/etc/hostname'");
    }
}
