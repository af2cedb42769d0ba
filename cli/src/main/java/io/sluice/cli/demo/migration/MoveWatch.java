package io.sluice.cli.demo.migration;

import java.net.URI;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/** Looks at the owners and at the routers again and again, and adds up what it sees. Used by one thread. */
final class MoveWatch {
    private final Ledgers ledgers;
    private final InventoryClient client;
    private final List<URI> routers;
    private final RouterFigures figures = new RouterFigures();
    private final Map<URI, Long> revisions = new LinkedHashMap<>();
    private Ledgers.Owned owned = new Ledgers.Owned(0, 0);
    private long lookedAt = System.nanoTime();
    private long moves;
    private long movingNanos;
    private long handedBack;

    MoveWatch(Ledgers ledgers, InventoryClient client, List<URI> routers) {
        this.ledgers = ledgers;
        this.client = client;
        this.routers = routers;
    }

    /** Looks now. */
    Ledgers.Owned look() throws SQLException, InterruptedException {
        Ledgers.Owned now = ledgers.owned();
        long nanos = System.nanoTime();
        long more = now.newer() - owned.newer();
        if (more > 0) {
            moves += more;
            movingNanos += nanos - lookedAt;
        } else {
            handedBack -= more;
        }
        lookedAt = nanos;
        owned = now;
        for (URI router : routers) {
            client.figures(router).ifPresent(said -> heard(router, said));
        }
        return now;
    }

    private void heard(URI router, JsonNode said) {
        figures.heard(said);
        revisions.put(router, said.path("planRevision").asLong(0));
    }

    /** Whether every router was last heard to route by this plan, or a later one. */
    boolean allKnow(long revision) {
        return routers.stream().allMatch(router -> revisions.getOrDefault(router, 0L) >= revision);
    }

    /** By which plan each router routes, as it was last heard. */
    List<Long> revisions() {
        return routers.stream()
                .map(router -> revisions.getOrDefault(router, 0L))
                .toList();
    }

    RouterFigures routers() {
        return figures;
    }

    /** SKUs that came to new, those included that were handed back and came again. */
    long moves() {
        return moves;
    }

    long handedBack() {
        return handedBack;
    }

    /** While there was something to move. */
    double movesPerSecond() {
        return movingNanos == 0 ? 0 : moves * (double) TimeUnit.SECONDS.toNanos(1) / movingNanos;
    }
}
