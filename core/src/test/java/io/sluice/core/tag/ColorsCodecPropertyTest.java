package io.sluice.core.tag;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Requirement;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

@Requirement("E7")
class ColorsCodecPropertyTest {
    @Property
    void whatIsWrittenIsRead(@ForAll("colors") ChannelColors colors) {
        String value = ColorsCodec.format(colors);
        String baggage = ColorsCodec.baggageWith(colors, List.of("a=1"));

        assertThat(ColorsCodec.read(List.of(value), List.of()).colors()).isEqualTo(colors);
        assertThat(ColorsCodec.read(List.of(), List.of(baggage)).colors()).isEqualTo(colors);
    }

    @Property
    void valueIsPlainAscii(@ForAll("colors") ChannelColors colors) {
        assertThat(ColorsCodec.format(colors)).matches("[a-z0-9._%3D26-]*");
    }

    @Property
    void readingNeverThrows(@ForAll String header, @ForAll String baggage) {
        assertThat(ColorsCodec.read(List.of(header, baggage), List.of())).isNotNull();
        assertThat(ColorsCodec.read(List.of(), List.of(header, "x-deploy-channel-type=" + baggage)))
                .isNotNull();
    }

    /** One changed character gives the colors, fewer, or a conflict, or at worst another channel or color: never an error. */
    @Property
    void damagedValueNeverThrows(@ForAll("colors") ChannelColors colors, @ForAll char damage, @ForAll int at) {
        StringBuilder value = new StringBuilder(ColorsCodec.format(colors) + " ");
        value.setCharAt(Math.floorMod(at, value.length()), damage);

        assertThat(ColorsCodec.read(List.of(value.toString()), List.of())).isNotNull();
    }

    /** As many as fit whatever they are called. */
    @Provide
    Arbitrary<ChannelColors> colors() {
        Arbitrary<String> first = Arbitraries.strings().withChars("az09").ofLength(1);
        Arbitrary<String> rest = Arbitraries.strings().withChars("az09._-").ofMaxLength(63);
        return Arbitraries.maps(first.flatMap(head -> rest.map(tail -> head + tail)), Arbitraries.of(Color.class))
                .ofMaxSize(50)
                .map(ChannelColors::of);
    }
}
