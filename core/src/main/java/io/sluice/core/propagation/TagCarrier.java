package io.sluice.core.propagation;

import io.sluice.core.tag.ColorsCodec;
import io.sluice.core.tag.TagCodec;
import io.sluice.core.tag.TagReading;
import io.sluice.core.tag.TrafficTag;

/** Takes the tag with its colors off one carrier and puts it on the next. Never throws. */
public final class TagCarrier {
    private TagCarrier() {}

    public static <C> TagReading extract(C carrier, CarrierGetter<C> getter) {
        TagReading tag = TagCodec.read(getter.values(carrier, TagCodec.HEADER));
        ColorsCodec.Reading colors = ColorsCodec.read(
                getter.values(carrier, TagCodec.COLORS_HEADER), getter.values(carrier, ColorsCodec.BAGGAGE));
        return tag.with(colors);
    }

    /** Writes the tag and its colors, the colors in a header of ours alone; the empty tag is not written. */
    public static <C> void inject(TrafficTag tag, C carrier, CarrierSetter<C> setter) {
        String header = TagCodec.format(tag);
        if (!header.isEmpty()) {
            setter.set(carrier, TagCodec.HEADER, header);
        }
        if (!tag.colors().isEmpty()) {
            setter.set(carrier, TagCodec.COLORS_HEADER, ColorsCodec.format(tag.colors()));
        }
    }

    /** As {@link #inject(TrafficTag, Object, CarrierSetter)}, with the colors in the carrier's baggage too. */
    public static <C> void inject(TrafficTag tag, C carrier, CarrierGetter<C> getter, CarrierSetter<C> setter) {
        inject(tag, carrier, setter);
        String baggage = ColorsCodec.baggageWith(tag.colors(), getter.values(carrier, ColorsCodec.BAGGAGE));
        if (baggage != null && !tag.colors().isEmpty()) {
            setter.set(carrier, ColorsCodec.BAGGAGE, baggage);
        }
    }
}
