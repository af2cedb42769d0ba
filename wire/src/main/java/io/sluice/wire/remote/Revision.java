package io.sluice.wire.remote;

import io.sluice.core.rule.RuleSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Epoch and revision of a rule set, as {@code <epoch>.<revision>} in tags, beats and files. */
record Revision(long epoch, long revision) {
    private static final Pattern TEXT = Pattern.compile("([0-9]{1,18})\\.([0-9]{1,18})");

    static Revision of(RuleSet rules) {
        return new Revision(rules.epoch(), rules.revision());
    }

    /** Null for anything that is none. */
    static @Nullable Revision parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        return matcher.matches()
                ? new Revision(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)))
                : null;
    }

    boolean isNewerThan(Revision other) {
        return epoch > other.epoch || (epoch == other.epoch && revision > other.revision);
    }

    @Override
    public String toString() {
        return epoch + "." + revision;
    }
}
