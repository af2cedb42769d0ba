package io.sluice.spring.servlet;

import io.sluice.core.decision.Lane;
import io.sluice.core.tag.Color;
import io.sluice.core.tag.TagCodec;
import io.sluice.core.tag.TrafficTag;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** The fields that every log line of a request gets, until closed. */
final class LogFields implements AutoCloseable {
    private static final String COLOR = "sluice.color";
    private static final String LANE = "sluice.lane";
    private static final String TAG = "sluice.tag";
    private static final String VERSION = "sluice.version";

    private LogFields() {}

    /**
     * Sets the fields.
     *
     * @param lane the lane on which this instance counts the request
     * @param tag in its header form, which is escaped; not set when empty
     * @param color the request's in this instance's channel; not set without one
     */
    static LogFields of(Lane lane, TrafficTag tag, String version, @Nullable Color color) {
        MDC.put(LANE, lane.name().toLowerCase(Locale.ROOT));
        MDC.put(VERSION, version);
        String header = TagCodec.format(tag);
        if (!header.isEmpty()) {
            MDC.put(TAG, header);
        }
        if (color != null) {
            MDC.put(COLOR, color.label());
        }
        return new LogFields();
    }

    @Override
    public void close() {
        MDC.remove(COLOR);
        MDC.remove(LANE);
        MDC.remove(TAG);
        MDC.remove(VERSION);
    }
}
