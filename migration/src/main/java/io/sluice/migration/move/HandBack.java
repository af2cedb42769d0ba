package io.sluice.migration.move;

import io.sluice.migration.owner.Owned;
import java.time.Duration;

/** What a router asks for when a side has failed and its caller still waits, or when it finds a move that stands still. */
public interface HandBack {
    /**
     * Gives a key back to legacy, with its whole ledger; the plan takes it to new again only with its next revision.
     *
     * @return who owns the key now: legacy, or whoever else when it could not be done within that time
     */
    Owned toLegacy(Owned owned, Duration within);

    /**
     * Finishes a move that somebody else began.
     *
     * @return who owns the key now; still frozen when it could not be done within that time
     */
    Owned finish(Owned frozen, Duration within);
}
