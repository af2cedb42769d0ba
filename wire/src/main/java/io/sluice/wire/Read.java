package io.sluice.wire;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What reading a field came to: a value, or nothing because a problem was noted.
 *
 * @param value null when a problem was noted
 */
public record Read<T>(@Nullable T value) {
    private static final Read<?> REFUSED = new Read<>(null);

    static <T> Read<T> of(T value) {
        return new Read<>(value);
    }

    @SuppressWarnings("unchecked") // holds no value, so it may be of any type
    static <T> Read<T> refused() {
        return (Read<T>) REFUSED;
    }

    /** Whether no problem was noted. */
    public boolean isThere() {
        return value != null;
    }

    /** The value, or something that is nothing to object to, so that the others are looked at all the same. */
    public T or(T instead) {
        return value == null ? instead : value;
    }

    /** Asked only where the value is known to be there. */
    public T get() {
        return Objects.requireNonNull(value, "read with a problem");
    }
}
