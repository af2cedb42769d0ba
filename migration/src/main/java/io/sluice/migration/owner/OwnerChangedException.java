package io.sluice.migration.owner;

import io.sluice.migration.branch.Grant;
import io.sluice.migration.branch.NothingHappenedException;

/** A fence has refused a grant: the key is somebody else's now, or is just being moved. Carries what is true. */
public final class OwnerChangedException extends NothingHappenedException {
    private static final long serialVersionUID = 1L;

    private final transient Owned owned;

    public OwnerChangedException(Grant grant, Owned owned) {
        super(message(grant, owned), null);
        this.owned = owned;
    }

    public Owned owned() {
        return owned;
    }

    // Thrown in the course of every move: a message is enough.
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }

    private static String message(Grant grant, Owned owned) {
        String now = owned.isFrozen()
                ? "is being moved"
                : "belongs to " + owned.side().label();
        return "key " + grant.key() + " " + now + " at epoch " + owned.epoch() + ", the request came for "
                + grant.side().label() + " with epoch " + grant.epoch();
    }
}
