package io.sluice.core.channel;

import io.sluice.core.release.JournalEntry;
import java.util.List;
import java.util.Optional;

/**
 * Keeps the releases of channels and their journal, as {@link io.sluice.core.release.ReleaseStore} does for canaries: what
 * it acknowledged is never lost; when it throws, the outcome is unknown. Safe for all threads.
 */
public interface ChannelStore {
    Optional<ChannelRelease> find(String id);

    /** All that are not over, the oldest first. */
    List<ChannelRelease> open();

    /**
     * Saves a new release with its journal entry.
     *
     * @throws io.sluice.core.release.ReleaseStore.AlreadyExistsException when the id is taken, or another release that is
     *     not over, of any strategy, claims one of its services
     */
    void create(ChannelRelease release, JournalEntry entry);

    /**
     * Saves the next state and what is to be noted, or nothing. A canary release that is over and still known to
     * processes is retired by the start of one that shares a service with it, in the same transaction.
     *
     * @return false when the saved revision is not one less than the next one's: somebody was faster
     */
    boolean save(ChannelRelease next, List<JournalEntry> entries);

    /** Which rules are published for what is saved: a process that has applied these knows all of it. */
    Published published();

    /** A rule set's place in history. */
    record Published(long epoch, long revision) {}
}
