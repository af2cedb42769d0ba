package io.sluice.migration.move;

import io.sluice.migration.owner.Owned;

/**
 * Hears of every step of every move, on the thread that moves; for logs, and for tests that break a move in the middle.
 *
 * <p>A {@link RuntimeException} from here fails the move as if the step had failed there, so the key is released. An
 * {@link Error} goes through the mover and leaves the key as it is, which is what a crash does.
 */
public interface MoveListener {
    /** Takes no note. */
    MoveListener NONE = new MoveListener() {};

    default void before(MoveStep step, String key) {}

    /** @param now who owns the key after this step */
    default void after(MoveStep step, Owned now) {}
}
