package io.sluice.migration.move;

import io.sluice.migration.owner.Owned;
import java.time.Duration;

/** What a router asks for when a side has failed and its caller still waits, or when it finds a move that stands still. */
public interface HandBack {
    /**
     * Gives a key back to legacy, with its whole ledger; the plan takes it to new again only with its next revision. A
     * key that is just being moved from legacy to new stays at legacy; that move may begin again, since new has not owned
     * it yet.
     *
     * @param owned who is believed to own the key; its epoch is the least that the key gets, and has to be no earlier
     *     than that of the caller's plan, or the plan would take the key to new again at once
     * @return who owns the key now: legacy, or whoever else when it could not be done within that time
     * @throws RuntimeException when it failed: the copy, or the database
     */
    Owned toLegacy(Owned owned, Duration within);

    /**
     * Finishes a move that somebody else began.
     *
     * @return who owns the key now; still frozen when it could not be done within that time
     * @throws RuntimeException when it failed; if that was the copy, the key is open again where it was
     */
    Owned finish(Owned frozen, Duration within);
}
