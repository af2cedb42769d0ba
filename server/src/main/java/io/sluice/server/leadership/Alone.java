package io.sluice.server.leadership;

import java.util.function.Supplier;

/** A server that has its database to itself. */
final class Alone implements Leadership {
    @Override
    public long epoch() {
        return 1;
    }

    @Override
    public void lead(Runnable action) {
        action.run();
    }

    @Override
    public <T> T inTerm(Supplier<T> action) {
        return action.get();
    }

    @Override
    public void requireStill() {
        // The embedded database is open in one process only.
    }
}
