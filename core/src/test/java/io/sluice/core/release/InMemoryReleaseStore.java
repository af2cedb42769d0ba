package io.sluice.core.release;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A release store that forgets everything with its process: for tests. */
public final class InMemoryReleaseStore implements ReleaseStore {
    private final Map<String, Release> releases = new LinkedHashMap<>();
    private final List<JournalEntry> journal = new ArrayList<>();

    @Override
    public synchronized Optional<Release> find(String id) {
        return Optional.ofNullable(releases.get(id));
    }

    @Override
    public synchronized List<Release> all() {
        return List.copyOf(releases.values());
    }

    @Override
    public synchronized void create(Release release, JournalEntry entry) {
        if (releases.containsKey(release.id())) {
            throw AlreadyExistsException.id(release.id());
        }
        for (Release other : releases.values()) {
            if (other.claims(release.spec())) {
                List<String> shared = new ArrayList<>(release.spec().services());
                shared.retainAll(other.spec().services());
                throw AlreadyExistsException.service(shared.get(0), other.id());
            }
        }
        releases.put(release.id(), release);
        journal.add(entry);
    }

    @Override
    public synchronized boolean save(List<Release> next, List<JournalEntry> entries) {
        for (Release release : next) {
            Release saved = releases.get(release.id());
            if (saved == null || saved.revision() + 1 != release.revision()) {
                return false;
            }
        }
        next.forEach(release -> releases.put(release.id(), release));
        journal.addAll(entries);
        return true;
    }

    /** What happened to a release, the oldest first. */
    public synchronized List<JournalEntry> journal(String release) {
        return journal.stream().filter(entry -> entry.release().equals(release)).toList();
    }
}
