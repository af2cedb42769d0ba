package io.sluice.server.leadership;

/** A server that has its database to itself. */
final class Alone implements Leadership {
    @Override
    public boolean isLeader() {
        return true;
    }

    @Override
    public void lead(Runnable action) {
        action.run();
    }

    @Override
    public void requireStill() {
        // The embedded database is open in one process only.
    }
}
