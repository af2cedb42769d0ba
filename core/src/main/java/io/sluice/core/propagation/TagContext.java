package io.sluice.core.propagation;

import io.sluice.core.tag.TrafficTag;
import java.util.Objects;

/**
 * The tag of the work that the current thread is doing.
 *
 * <pre>{@code
 * try (Scope scope = TagContext.with(tag)) {
 *     // everything called from here wears the tag
 * }
 * }</pre>
 *
 * Nothing is ever just set, so nothing is left behind on a pooled thread. The tag does not cross threads by itself.
 */
public final class TagContext {
    private static final TagStorage DEFAULT = TagStorage.threadLocal();
    private static volatile TagStorage storage = DEFAULT;

    private TagContext() {}

    /** The current tag; the empty tag outside every scope. */
    public static TrafficTag current() {
        return storage.current();
    }

    /** Makes a tag current on this thread until the scope is closed. */
    public static Scope with(TrafficTag tag) {
        return storage.attach(tag);
    }

    /** Replaces the storage of the whole process until the scope is closed: for tests, before any other scope. */
    public static Scope use(TagStorage other) {
        storage = Objects.requireNonNull(other, "storage");
        return () -> storage = DEFAULT;
    }
}
