package io.sluice.core.tag;

/**
 * What came of reading a tag: the tag, or the empty tag and what was wrong. Reading never throws.
 *
 * @param tag the tag read; empty when there was none or it was refused
 * @param problem what was wrong, in one sentence; empty when nothing was
 */
public record TagReading(TrafficTag tag, String problem) {
    private static final TagReading NONE = new TagReading(TrafficTag.empty(), "");

    /** No tag was there. */
    public static TagReading none() {
        return NONE;
    }

    static TagReading refused(String problem) {
        return new TagReading(TrafficTag.empty(), problem);
    }

    public boolean isRefused() {
        return !problem.isEmpty();
    }
}
