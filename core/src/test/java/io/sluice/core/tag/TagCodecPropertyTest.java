package io.sluice.core.tag;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.identity.Identity;
import io.sluice.testing.Requirement;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

@Requirement("E1")
class TagCodecPropertyTest {
    @Property
    void whatIsWrittenIsRead(@ForAll("tags") TrafficTag tag) {
        String header = TagCodec.format(tag);

        assertThat(TagCodec.parse(header)).isEqualTo(new TagReading(tag, ""));
    }

    @Property
    void aHeaderIsPlainAscii(@ForAll("tags") TrafficTag tag) {
        assertThat(TagCodec.format(tag)).matches("[A-Za-z0-9._~%=;,-]*");
    }

    @Property
    void readingNeverThrowsAndBelievesAllOrNothing(@ForAll String header) {
        TagReading reading = TagCodec.parse(header);

        assertThat(reading.isRefused() && !reading.tag().isEmpty()).isFalse();
    }

    @Property
    void noTagIsBelievedThatNoEdgeWouldMake(@ForAll String uid, @ForAll String version) {
        TrafficTag tag = new TrafficTag(uid, "", List.of(new Assignment("r", version + "v")));

        TagReading reading = TagCodec.parse(TagCodec.format(tag));

        boolean usable = (uid.isEmpty() || Identity.isUsable(uid)) && Identity.isUsable(version + "v");
        assertThat(reading.isRefused()).isEqualTo(!usable);
    }

    /** A tag that one character was changed in is read as another tag or none; it never throws. */
    @Property
    void aDamagedTagNeverThrows(@ForAll("tags") TrafficTag tag, @ForAll char damage, @ForAll int at) {
        StringBuilder header = new StringBuilder(TagCodec.format(tag) + " ");
        header.setCharAt(Math.floorMod(at, header.length()), damage);

        assertThat(TagCodec.parse(header.toString())).isNotNull();
    }

    @Provide
    Arbitrary<TrafficTag> tags() {
        Arbitrary<List<Assignment>> assignments = Combinators.combine(names(), names())
                .as(Assignment::new)
                .list()
                .ofMaxSize(4)
                .uniqueElements(Assignment::release);
        return Combinators.combine(texts(), texts(), assignments).as(TrafficTag::new);
    }

    private static Arbitrary<String> names() {
        return texts().filter(name -> !name.isEmpty() && !name.equals(TrafficTag.STABLE_VERSION));
    }

    /** Every text that an edge takes for an id, and the empty one. */
    private static Arbitrary<String> texts() {
        return Arbitraries.strings()
                .all()
                .ofMaxLength(64)
                .map(text -> Identity.ofCustomer(text).customer());
    }
}
