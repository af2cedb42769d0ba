package io.sluice.migration.plan;

import io.sluice.core.problem.RefusedException;
import org.jspecify.annotations.Nullable;

/** What a key may be: something to own. */
public final class Keys {
    /** The longest key, in characters. */
    public static final int LONGEST = 255;

    private static final String ALLOWED = "must have 1.." + LONGEST + " characters, none of them a control character";

    private Keys() {}

    /**
     * The same key.
     *
     * @throws RefusedException for null, an empty one, a longer one, a control character or half a character; nothing
     *     has happened then
     */
    public static String require(@Nullable String key) {
        if (key == null) {
            throw new RefusedException("key", "null", ALLOWED);
        }
        if (key.isEmpty()) {
            throw new RefusedException("key", "empty", ALLOWED);
        }
        if (key.length() > LONGEST) {
            throw new RefusedException("key", key.length() + " characters", ALLOWED);
        }
        for (int i = 0; i < key.length(); i++) {
            char c = key.charAt(i);
            if (Character.isISOControl(c)) {
                throw new RefusedException("key", key, ALLOWED);
            }
            if (Character.isSurrogate(c)) {
                boolean isPair = Character.isHighSurrogate(c)
                        && i + 1 < key.length()
                        && Character.isLowSurrogate(key.charAt(i + 1));
                if (!isPair) {
                    throw new RefusedException("key", key, ALLOWED);
                }
                i++;
            }
        }
        return key;
    }
}
