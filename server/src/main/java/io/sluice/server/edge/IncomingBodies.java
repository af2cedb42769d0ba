package io.sluice.server.edge;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All bodies on their way in. When there are too many, or too much of them, the address with the most gives up its oldest;
 * so whoever sends slowly makes room for whoever sends at once, like an operator's abort. Safe for all threads.
 */
final class IncomingBodies {
    private final int most;
    private final int mostBytes;

    // All guarded by this; the oldest first.
    private final Map<IncomingBody, Integer> kept = new LinkedHashMap<>();
    private long bytes;

    IncomingBodies(int most, int mostBytes) {
        this.most = most;
        this.mostBytes = mostBytes;
    }

    void add(IncomingBody body) {
        synchronized (this) {
            kept.put(body, 0);
        }
        makeRoom();
    }

    /** A body keeps so many bytes more. */
    void keeps(IncomingBody body, int more) {
        synchronized (this) {
            if (kept.computeIfPresent(body, (any, known) -> known + more) != null) {
                bytes += more;
            }
        }
        makeRoom();
    }

    /** A body has thrown away what it kept. */
    synchronized void keepsNothing(IncomingBody body) {
        Integer known = kept.replace(body, 0);
        bytes -= known == null ? 0 : known;
    }

    synchronized void remove(IncomingBody body) {
        Integer known = kept.remove(body);
        bytes -= known == null ? 0 : known;
    }

    synchronized int size() {
        return kept.size();
    }

    private void makeRoom() {
        // Outside the lock, since giving up dispatches a request.
        for (IncomingBody victim = victim(); victim != null; victim = victim()) {
            victim.giveUp();
        }
    }

    private synchronized @Nullable IncomingBody victim() {
        if (kept.size() <= most && bytes <= mostBytes) {
            return null;
        }
        Map<String, Integer> byAddress = new HashMap<>();
        kept.keySet().forEach(body -> byAddress.merge(body.address(), 1, Integer::sum));
        // Of equals the first, so the oldest.
        IncomingBody victim = kept.keySet().stream()
                .max(Comparator.comparing(body -> byAddress.getOrDefault(body.address(), 0)))
                .orElseThrow();
        remove(victim);
        return victim;
    }
}
