package io.sluice.core.guard;

import io.sluice.core.observation.Tally;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** The requests of the last while, in parts of a twentieth: a part leaves whole, when its first request is too old. */
final class TallyWindow {
    private static final int PARTS = 20;

    private final long length;
    private final Deque<Part> parts = new ArrayDeque<>();
    // Of all parts but the newest, so that a look adds up two tallies and not twenty.
    private Tally older = Tally.empty();

    TallyWindow(Duration length) {
        this.length = length.toNanos();
    }

    void add(Tally requests, long now) {
        Part newest = parts.peekLast();
        if (newest != null && now - newest.began < length / PARTS) {
            parts.removeLast();
            parts.addLast(new Part(newest.began, newest.requests.merge(requests)));
            return;
        }
        parts.addLast(new Part(now, requests));
        addUpOlder();
    }

    Tally at(long now) {
        if (parts.removeIf(part -> now - part.began > length)) {
            addUpOlder();
        }
        Part newest = parts.peekLast();
        return newest == null ? Tally.empty() : older.merge(newest.requests);
    }

    private void addUpOlder() {
        older = parts.stream()
                .limit(Math.max(0, parts.size() - 1))
                .map(Part::requests)
                .reduce(Tally.empty(), Tally::merge);
    }

    private record Part(long began, Tally requests) {}
}
