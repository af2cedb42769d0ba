package io.sluice.core.release;

import java.util.List;
import java.util.Optional;

/**
 * Keeps releases and their journal. What it acknowledged is never lost; when it throws, the outcome is unknown and the
 * caller reads again. Safe for all threads.
 */
public interface ReleaseStore {
    Optional<Release> find(String id);

    /** All releases, the oldest first. */
    List<Release> all();

    /**
     * Saves a new release with its journal entry.
     *
     * @throws AlreadyExistsException when the id is taken, or another release that is not over claims a service
     */
    void create(Release release, JournalEntry entry);

    /**
     * Saves next states and their journal entries, all or none.
     *
     * @param next states whose revision is one more than the saved one's
     * @return false, with nothing saved, when a saved revision is another one: somebody was faster
     */
    boolean save(List<Release> next, List<JournalEntry> entries);

    /** A release cannot be created beside another one. Nothing was saved. */
    final class AlreadyExistsException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        public AlreadyExistsException(String message) {
            super(message);
        }

        /** The id is taken. */
        public static AlreadyExistsException id(String id) {
            return new AlreadyExistsException("release " + id + " exists already, and an id is used once");
        }

        /** A service is taken. */
        public static AlreadyExistsException service(String service, String other) {
            return new AlreadyExistsException(
                    "service " + service + " is in release " + other + " already; complete or abort that one first");
        }
    }
}
