package io.sluice.core.tag;

/**
 * What came of reading a tag: the tag, or the empty tag and what was wrong. Reading never throws.
 *
 * @param tag the tag read; empty when there was none or it was refused
 * @param problem what was wrong, in one sentence; empty when nothing was
 * @param refusedColors how many colors were dropped, unreadable or contradicting each other; the tag has the others
 */
public record TagReading(TrafficTag tag, String problem, int refusedColors) {
    private static final TagReading NONE = new TagReading(TrafficTag.empty(), "");

    /** One without colors. */
    public TagReading(TrafficTag tag, String problem) {
        this(tag, problem, 0);
    }

    /** No tag was there. */
    public static TagReading none() {
        return NONE;
    }

    static TagReading refused(String problem) {
        return new TagReading(TrafficTag.empty(), problem);
    }

    /** The same with the colors that came along. */
    public TagReading with(ColorsCodec.Reading colors) {
        return colors.colors().isEmpty() && colors.refused() == 0
                ? this
                : new TagReading(tag.withColors(colors.colors()), problem, colors.refused());
    }

    public boolean isRefused() {
        return !problem.isEmpty();
    }
}
