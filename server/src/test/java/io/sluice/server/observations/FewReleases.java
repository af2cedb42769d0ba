package io.sluice.server.observations;

import io.sluice.core.release.JournalEntry;
import io.sluice.core.release.Release;
import io.sluice.core.release.ReleaseStore;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Releases to be found, as a test has put them. */
final class FewReleases implements ReleaseStore {
    private final Map<String, Release> releases = new LinkedHashMap<>();

    void put(Release release) {
        releases.put(release.id(), release);
    }

    @Override
    public Optional<Release> find(String id) {
        return Optional.ofNullable(releases.get(id));
    }

    @Override
    public List<Release> all() {
        return List.copyOf(releases.values());
    }

    @Override
    public void create(Release release, JournalEntry entry) {
        put(release);
    }

    @Override
    public boolean save(List<Release> next, List<JournalEntry> entries) {
        next.forEach(this::put);
        return true;
    }
}
