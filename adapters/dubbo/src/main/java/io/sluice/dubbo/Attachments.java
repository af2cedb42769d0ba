package io.sluice.dubbo;

import io.sluice.core.propagation.CarrierGetter;
import io.sluice.core.propagation.CarrierSetter;
import io.sluice.core.propagation.TagCarrier;
import io.sluice.core.tag.ColorsCodec;
import io.sluice.core.tag.TagCodec;
import io.sluice.core.tag.TagReading;
import io.sluice.core.tag.TrafficTag;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.dubbo.rpc.Invocation;

/** A call's attachments as what carries a tag. Their names are those of the headers, in any case: some protocols change it. */
final class Attachments {
    private static final CarrierGetter<Map<String, Object>> GETTER = Attachments::values;
    private static final CarrierSetter<Map<String, Object>> SETTER = Map::put;

    private Attachments() {}

    static TagReading read(Invocation invocation) {
        return TagCarrier.extract(invocation.getObjectAttachments(), GETTER);
    }

    /** Puts the tag in place of whatever the call wears: Dubbo hands a provider's attachments on to the calls it makes. */
    static void write(TrafficTag tag, Invocation invocation) {
        Map<String, Object> attachments = invocation.getObjectAttachments();
        String baggage = ColorsCodec.baggageWith(tag.colors(), values(attachments, ColorsCodec.BAGGAGE));
        attachments.keySet().removeIf(Attachments::isOurs);
        TagCarrier.inject(tag, attachments, SETTER);
        if (baggage != null) {
            attachments.put(ColorsCodec.BAGGAGE, baggage);
        }
    }

    private static boolean isOurs(String name) {
        return TagCodec.isOurs(name) || name.equalsIgnoreCase(ColorsCodec.BAGGAGE);
    }

    private static List<String> values(Map<String, Object> attachments, String name) {
        List<String> found = new ArrayList<>(1);
        for (Map.Entry<String, Object> each : attachments.entrySet()) {
            if (each.getKey().equalsIgnoreCase(name) && each.getValue() instanceof String value) {
                found.add(value);
            }
        }
        return found;
    }
}
