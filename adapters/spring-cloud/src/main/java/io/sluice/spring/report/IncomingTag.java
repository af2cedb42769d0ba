package io.sluice.spring.report;

import io.sluice.core.propagation.CarrierGetter;
import io.sluice.core.propagation.TagCarrier;
import io.sluice.core.tag.TagCodec;
import io.sluice.core.tag.TagReading;
import io.sluice.spring.report.SluiceMeters.Claim;

/** Takes the tag off a request whose sender is believed, and counts the tags that are none. */
public final class IncomingTag {
    private IncomingTag() {}

    public static <C> TagReading read(C carrier, CarrierGetter<C> getter, SluiceMeters meters) {
        TagReading reading = TagCarrier.extract(carrier, getter);
        if (reading.isRefused()) {
            boolean several = getter.values(carrier, TagCodec.HEADER).size() > 1;
            meters.ignored(several ? Claim.TAG_CONFLICT : Claim.TAG_REFUSED);
        }
        return reading;
    }
}
