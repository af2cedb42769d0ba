package io.sluice.core.tag;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Requirement;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@Requirement("E1")
class TagCodecTest {
    private static final Assignment OCTOBER = new Assignment("release-2026-10", "v2.1.0");
    private static final Assignment SALE = new Assignment("sale", "v7");

    static List<Arguments> tags() {
        return List.of(
                Arguments.of(new TrafficTag("", "", List.of()), ""),
                Arguments.of(new TrafficTag("10086", "", List.of()), "uid=10086;version=stable"),
                Arguments.of(new TrafficTag("", "web", List.of()), "channel=web;version=stable"),
                Arguments.of(
                        new TrafficTag("10086", "app", List.of(OCTOBER)),
                        "uid=10086;channel=app;version=v2.1.0;release=release-2026-10"),
                Arguments.of(new TrafficTag("", "", List.of(OCTOBER)), "version=v2.1.0;release=release-2026-10"),
                Arguments.of(
                        new TrafficTag("", "", List.of(OCTOBER, SALE)),
                        "version=v2.1.0,v7;release=release-2026-10,sale"),
                Arguments.of(
                        new TrafficTag("张 三;=,%+", "", List.of()),
                        "uid=%E5%BC%A0%20%E4%B8%89%3B%3D%2C%25%2B;version=stable"));
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("tags")
    void writesTheDocumentedForm(TrafficTag tag, String header) {
        assertThat(TagCodec.format(tag)).isEqualTo(header);
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("tags")
    void readsTheDocumentedForm(TrafficTag tag, String header) {
        TagReading reading = TagCodec.parse(header);

        assertThat(reading).isEqualTo(new TagReading(tag, ""));
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "uid=10086;channel=app;zone=eu;version=v2.1.0;release=release-2026-10",
                "zone=%zz raw;version=v2.1.0;uid=10086;release=release-2026-10;zone=again;channel=app"
            })
    void skipsUnknownKeysAndAnyOrder(String header) {
        assertThat(TagCodec.parse(header).tag()).isEqualTo(new TrafficTag("10086", "app", List.of(OCTOBER)));
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "uid",
                " version=v2;release=r1",
                "uid=1; version=v2; release=r1",
                "uid=1;Version=v2;release=r1",
                "UID=1",
                "1uid=1",
                "zone_a=1;uid=1",
                "uid=%0D%0A",
                "uid=%09",
                "uid=a%7F",
                "uid=%C2%85",
                "uid=%E2%80%AE",
                "uid=%E2%81%A6",
                "channel=%00",
                "version=v2%0A;release=r1",
                "version=v2;release=r1%0A",
                "=blue",
                ";",
                "uid=1;",
                ";uid=1",
                "uid=1;;channel=app",
                "uid=1;uid=2",
                "uid=1;uid=1",
                "version=stable;version=stable",
                "version=v2",
                "release=r1",
                "version=stable;release=r1",
                "uid=1;version=v2.1.0",
                "version=v2,v3;release=r1",
                "version=v2;release=r1,r2",
                "version=v2,;release=r1,r2",
                "version=v2,v3;release=r1,",
                "version=,;release=,",
                "version=v2,v3;release=r1,r1",
                "uid=%zz",
                "uid=%C0%AE",
                "uid=%ED%A0%80",
                "uid=%F8%88%80%80%80",
                "uid=%",
                "uid=%4",
                "uid=%E5%BC",
                "uid=%+1",
                "uid=%١١",
                "uid=a+b",
                "uid=a b",
                "uid=张",
                "uid=a=b",
                "uid=a,b",
                "uid=a/b",
                "version=v2\r\nX-Admin: 1;release=r1",
                "channel=\u0000",
                "uid%3D1%3Bversion%3Dstable"
            })
    void anythingElseIsNoTagAtAll(String header) {
        TagReading reading = TagCodec.parse(header);

        assertThat(reading.isRefused()).isTrue();
        assertThat(reading.problem()).startsWith("tag ").contains(", but must ");
        assertThat(reading.tag()).isSameAs(TrafficTag.empty());
    }

    @Test
    void decodesOnceAndOnlyOnce() {
        assertThat(TagCodec.parse("uid=%2525").tag().uid()).isEqualTo("%25");
    }

    @Test
    void readsHexDigitsInEitherCase() {
        assertThat(TagCodec.parse("uid=%e5%BC%a0").tag().uid()).isEqualTo("张");
    }

    @Test
    void aCustomerOfATagIsOneThatAnEdgeWouldTake() {
        String longest = "é".repeat(128);

        assertThat(TagCodec.parse("uid=" + "%C3%A9".repeat(128)).tag().uid()).isEqualTo(longest);
        assertThat(TagCodec.parse("uid=" + "%C3%A9".repeat(128) + "1").problem())
                .isEqualTo("tag has the value " + "é".repeat(80)
                        + "..., but must have 1..256 bytes without control characters");
    }

    @Test
    void ofMoreAssignmentsThanFitTheFirstAreKept() {
        TrafficTag tag = new TrafficTag("客".repeat(85), "客".repeat(85), assignments(40));

        TrafficTag fitting = TagCodec.fitting(tag);

        assertThat(fitting).isEqualTo(new TrafficTag(tag.uid(), tag.channel(), assignments(19)));
        assertThat(TagCodec.parse(TagCodec.format(fitting)).tag()).isEqualTo(fitting);
    }

    @Test
    void aTagThatFitsIsKeptWhole() {
        TrafficTag nineteen = new TrafficTag("客".repeat(85), "客".repeat(85), assignments(19));
        TrafficTag thirty = new TrafficTag("", "", assignments(30));

        assertThat(TagCodec.fitting(nineteen)).isSameAs(nineteen);
        assertThat(TagCodec.fitting(thirty)).isSameAs(thirty);
    }

    @Test
    void readsFourThousandCharactersAndNotNineThousand() {
        String longest = "uid=1;zone=" + "1".repeat(TagCodec.LONGEST - 11);

        assertThat(TagCodec.parse(longest).tag().uid()).isEqualTo("1");
        assertThat(TagCodec.parse(longest + "1").problem())
                .isEqualTo("tag was 4097 characters, but must be at most 4096");
        assertThat(TagCodec.parse("uid=" + "1".repeat(9_000)).isRefused()).isTrue();
    }

    @Test
    void aTagSentTwiceIsNoTag() {
        assertThat(TagCodec.read(List.of("uid=1", "uid=1")).problem())
                .isEqualTo("tag was sent 2 times, but must be sent once");
        assertThat(TagCodec.read(List.of("uid=1")).tag().uid()).isEqualTo("1");
        assertThat(TagCodec.read(List.of())).isEqualTo(TagReading.none());
        assertThat(TagReading.none().isRefused()).isFalse();
    }

    @Requirement("E2")
    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "X-Gray-Tag",
                "x-gray-tag",
                "X-GRAY-TAG",
                "X_Gray_Tag",
                "x_gray-tag",
                "x-deploy-channel-type",
                "X-Deploy-Channel-Type",
                "X_DEPLOY_CHANNEL_TYPE"
            })
    void ourHeadersAreKnownInEverySpelling(String name) {
        assertThat(TagCodec.isOurs(name)).isTrue();
    }

    @Requirement("E2")
    @ParameterizedTest(name = "[{0}]")
    @ValueSource(strings = {"", "X-Gray", "X-Gray-Tag2", "X-Gray-Tags", "Gray-Tag", " X-Gray-Tag", "x-deploy-channel"})
    void otherHeadersAreNotOurs(String name) {
        assertThat(TagCodec.isOurs(name)).isFalse();
    }

    /** With names as long as they may be. */
    private static List<Assignment> assignments(int number) {
        return IntStream.range(100, 100 + number)
                .mapToObj(i -> new Assignment("r".repeat(61) + i, "v".repeat(64)))
                .toList();
    }

    @Test
    void aTagKnowsItsVersionInEachRelease() {
        TrafficTag tag = new TrafficTag("", "", List.of(OCTOBER, SALE));

        assertThat(tag.versionIn("release-2026-10")).isEqualTo("v2.1.0");
        assertThat(tag.versionIn("sale")).isEqualTo("v7");
        assertThat(tag.versionIn("other")).isNull();
    }
}
