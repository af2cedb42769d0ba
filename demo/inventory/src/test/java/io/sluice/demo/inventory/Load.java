package io.sluice.demo.inventory;

import io.sluice.migration.branch.BusinessAnswerException;
import io.sluice.migration.branch.NothingHappenedException;
import io.sluice.migration.branch.Outcome;
import io.sluice.migration.branch.UnknownOutcomeException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Customers who reserve and release, keep their own account of it, and ask when they don't know. */
final class Load implements AutoCloseable {
    private static final Duration WITHIN = Duration.ofSeconds(5);

    private record Held(String id, String sku, int quantity) {}

    private final List<InventoryService> services;
    private final String format;
    private final int skus;
    private final ExecutorService customers;
    private final Queue<Held> held = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> surprises = new ConcurrentLinkedQueue<>();
    private final AtomicLong ids = new AtomicLong();
    final AtomicLong done = new AtomicLong();
    final AtomicLong nothing = new AtomicLong();
    final AtomicLong settled = new AtomicLong();
    private volatile boolean isOver;

    private Load(List<InventoryService> services, String format, int skus, int customersEach) {
        this.services = services;
        this.format = format;
        this.skus = skus;
        this.customers = Executors.newFixedThreadPool(services.size() * customersEach);
    }

    static Load begin(List<InventoryService> services, String format, int skus, int customersEach) {
        Load load = new Load(services, format, skus, customersEach);
        for (int i = 0; i < services.size() * customersEach; i++) {
            Random random = new Random(i);
            load.customers.submit(() -> load.shop(random));
        }
        return load;
    }

    private void shop(Random random) {
        try {
            while (!isOver) {
                InventoryService service = services.get(random.nextInt(services.size()));
                Held mine = random.nextInt(3) == 0 ? held.poll() : null;
                if (mine == null) {
                    reserve(service, String.format(format, random.nextInt(skus)), 1 + random.nextInt(3));
                } else {
                    release(service, mine);
                }
                done.incrementAndGet();
            }
        } catch (RuntimeException | Error surprise) {
            surprises.add(surprise);
        }
    }

    private void reserve(InventoryService service, String sku, int quantity) {
        String id = "r-" + ids.incrementAndGet();
        if (happens(
                sku,
                id,
                service,
                () -> service.reserve(new ReserveRequest(id, "order-" + id, sku, quantity), WITHIN))) {
            held.add(new Held(id, sku, quantity));
        }
    }

    private void release(InventoryService service, Held mine) {
        String id = "x-" + ids.incrementAndGet();
        if (!happens(mine.sku(), id, service, () -> service.release(new ReleaseRequest(id, mine.id()), WITHIN))) {
            held.add(mine);
        }
    }

    private boolean happens(String sku, String id, InventoryService service, Runnable operation) {
        try {
            operation.run();
            return true;
        } catch (NothingHappenedException sure) {
            nothing.incrementAndGet();
            return false;
        } catch (OutOfStockException no) {
            return false;
        } catch (BusinessAnswerException surprise) {
            throw surprise;
        } catch (UnknownOutcomeException unknown) {
            return settle(sku, id, service);
        }
    }

    private boolean settle(String sku, String id, InventoryService service) {
        while (true) {
            try {
                Outcome outcome = service.outcome(sku, id, WITHIN);
                settled.incrementAndGet();
                return outcome == Outcome.HAPPENED;
            } catch (UnknownOutcomeException again) {
                // Asked until it is known: a customer whose order hangs on it has no choice.
            }
        }
    }

    /** What the customers think they have reserved; once it is closed. */
    long reserved() {
        return held.stream().mapToLong(Held::quantity).sum();
    }

    /** What should not have been thrown. */
    List<Throwable> surprises() {
        return List.copyOf(surprises);
    }

    @Override
    public void close() throws InterruptedException {
        isOver = true;
        customers.shutdown();
        if (!customers.awaitTermination(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException("customers are stuck");
        }
    }
}
