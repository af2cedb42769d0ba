package io.sluice.core.propagation;

import io.sluice.core.tag.TagCodec;
import io.sluice.core.tag.TagReading;
import io.sluice.core.tag.TrafficTag;

/** Takes the tag off one carrier and puts it on the next. Never throws. */
public final class TagCarrier {
    private TagCarrier() {}

    public static <C> TagReading extract(C carrier, CarrierGetter<C> getter) {
        return TagCodec.read(getter.values(carrier, TagCodec.HEADER));
    }

    /** Writes the tag; the empty tag is not written. */
    public static <C> void inject(TrafficTag tag, C carrier, CarrierSetter<C> setter) {
        if (!tag.isEmpty()) {
            setter.set(carrier, TagCodec.HEADER, TagCodec.format(tag));
        }
    }
}
