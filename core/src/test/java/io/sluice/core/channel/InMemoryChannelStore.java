package io.sluice.core.channel;

import io.sluice.core.release.JournalEntry;
import io.sluice.core.release.ReleaseStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A store of channel releases that forgets everything with its process: for tests. */
class InMemoryChannelStore implements ChannelStore {
    private final Map<String, ChannelRelease> releases = new LinkedHashMap<>();
    private final List<JournalEntry> journal = new ArrayList<>();
    private long changes = 1;

    @Override
    public Optional<ChannelRelease> find(String id) {
        return Optional.ofNullable(releases.get(id));
    }

    @Override
    public List<ChannelRelease> open() {
        return releases.values().stream()
                .filter(release -> !release.phase().isOver())
                .toList();
    }

    @Override
    public void create(ChannelRelease release, JournalEntry entry) {
        if (releases.containsKey(release.id())) {
            throw ReleaseStore.AlreadyExistsException.id(release.id());
        }
        for (ChannelRelease other : open()) {
            for (String service : release.spec().services()) {
                if (other.spec().services().contains(service)) {
                    throw ReleaseStore.AlreadyExistsException.service(service, other.id());
                }
            }
        }
        put(release, List.of(entry));
    }

    @Override
    public boolean save(ChannelRelease next, List<JournalEntry> entries) {
        ChannelRelease saved = releases.get(next.id());
        if (saved == null || saved.revision() + 1 != next.revision()) {
            return false;
        }
        put(next, entries);
        return true;
    }

    /** Saves without asking. */
    final void put(ChannelRelease release, List<JournalEntry> entries) {
        releases.put(release.id(), release);
        journal.addAll(entries);
        changes++;
    }

    @Override
    public Published published() {
        return new Published(0, changes);
    }

    final List<JournalEntry> journal() {
        return List.copyOf(journal);
    }
}
