package io.sluice.spring.servlet;

import io.sluice.core.decision.Lane;
import io.sluice.core.tag.TagCodec;
import io.sluice.core.tag.TrafficTag;
import java.util.Locale;
import org.slf4j.MDC;

/** The fields that every log line of a request gets, until closed. */
final class LogFields implements AutoCloseable {
    private static final String LANE = "sluice.lane";
    private static final String TAG = "sluice.tag";
    private static final String VERSION = "sluice.version";

    private LogFields() {}

    /**
     * Sets the fields.
     *
     * @param lane the lane on which this instance counts the request
     * @param tag in its header form, which is escaped; not set when empty
     */
    static LogFields of(Lane lane, TrafficTag tag, String version) {
        MDC.put(LANE, lane.name().toLowerCase(Locale.ROOT));
        MDC.put(VERSION, version);
        if (!tag.isEmpty()) {
            MDC.put(TAG, TagCodec.format(tag));
        }
        return new LogFields();
    }

    @Override
    public void close() {
        MDC.remove(LANE);
        MDC.remove(TAG);
        MDC.remove(VERSION);
    }
}
