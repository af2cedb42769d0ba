package io.sluice.migration.shadow;

/**
 * Brings the side that does not own a key to the state of the one that does, so that both can be compared; a promise of
 * {@code Owners.mirror}:
 *
 * <pre>{@code
 * .mirror(key -> owners.mirror(key, copy))
 * }</pre>
 */
@FunctionalInterface
public interface Mirror {
    /**
     * Copies the key.
     *
     * @return whether it was done; false when the key is being moved
     * @throws RuntimeException when it can't be done
     */
    boolean refresh(String key);
}
