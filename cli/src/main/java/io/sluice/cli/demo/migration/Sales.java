package io.sluice.cli.demo.migration;

import io.sluice.cli.demo.migration.Sale.Known;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The customers' own account of every operation: what was promised to whom. Thread-safe; each sale is changed by one thread at a
 * time.
 */
final class Sales {
    private final AtomicLong ids = new AtomicLong();
    private final Map<String, Sale> all = new ConcurrentHashMap<>();
    private final List<String> releasable = new ArrayList<>(); // Guarded by itself.

    /** One that is about to be tried. */
    Sale begin(String sku, int quantity) {
        Sale sale = new Sale("r-" + ids.incrementAndGet(), sku, quantity, Known.UNDER_WAY, Known.NOT_TRIED);
        all.put(sale.id(), sale);
        return sale;
    }

    void reserved(Sale sale, Known what) {
        all.put(sale.id(), sale.reserved(what));
        if (what == Known.DONE) {
            offer(sale);
        }
    }

    /** Any of those that are held, for its release to be tried; null when there is none. */
    @Nullable
    Sale beginRelease() {
        String id;
        synchronized (releasable) {
            if (releasable.isEmpty()) {
                return null;
            }
            int last = releasable.size() - 1;
            int any = ThreadLocalRandom.current().nextInt(releasable.size());
            id = releasable.set(any, releasable.get(last));
            releasable.remove(last);
        }
        return all.computeIfPresent(id, (same, sale) -> sale.released(Known.UNDER_WAY));
    }

    void released(Sale sale, Known what) {
        all.put(sale.id(), sale.released(what));
        if (what == Known.NOTHING) {
            offer(sale);
        }
    }

    private void offer(Sale sale) {
        synchronized (releasable) {
            releasable.add(sale.id());
        }
    }

    /** Those of which nobody knows what became of them. */
    List<Sale> unknown() {
        return all.values().stream().filter(Sale::isUnknown).toList();
    }

    List<Sale> all() {
        return List.copyOf(all.values());
    }
}
