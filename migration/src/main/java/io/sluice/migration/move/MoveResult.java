package io.sluice.migration.move;

import io.sluice.migration.owner.Owned;

/** What became of the move of one key. Only after {@link Moved} and {@link AlreadyThere} it is where it should be. */
public sealed interface MoveResult {
    String key();

    /** It was moved, by this mover or by another that did the same at once. */
    record Moved(Owned now) implements MoveResult {
        @Override
        public String key() {
            return now.key();
        }
    }

    /** It belonged to that side already. */
    record AlreadyThere(Owned now) implements MoveResult {
        @Override
        public String key() {
            return now.key();
        }
    }

    /** A write that began before was not over within the limit. Tried again later, it may do. */
    record Busy(Owned now) implements MoveResult {
        @Override
        public String key() {
            return now.key();
        }
    }

    /** Somebody else is moving it to the other side, or has given this move up meanwhile. */
    record Overtaken(Owned now) implements MoveResult {
        @Override
        public String key() {
            return now.key();
        }
    }

    /**
     * A step has failed, most often the copy. The key was released; if the database could not be asked for that either,
     * it is frozen until a writer or a mover finishes the move, and the reason says so among its suppressed ones.
     */
    record Failed(String key, MoveStep step, RuntimeException reason) implements MoveResult {}
}
