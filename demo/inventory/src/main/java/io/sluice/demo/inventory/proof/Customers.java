package io.sluice.demo.inventory.proof;

import io.sluice.demo.inventory.InventoryService;
import io.sluice.demo.inventory.OutOfStockException;
import io.sluice.demo.inventory.ReleaseRequest;
import io.sluice.demo.inventory.ReserveRequest;
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
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * Customers who reserve, release and look, tell a {@link Hearing} what they ask for and are told, and ask again when they don't
 * know. All methods are safe for use by many threads.
 */
public final class Customers implements AutoCloseable {
    private static final Duration WITHIN = Duration.ofSeconds(5);

    /**
     * How they behave.
     *
     * @param each how many customers there are for each service, 1 or more
     * @param skus which SKU a customer takes next
     * @param name what the ids of their operations begin with, theirs alone
     * @param pause what each waits between two operations, 0 or more
     * @param seed of their choices
     */
    public record Habits(int each, Function<Random, String> skus, String name, Duration pause, long seed) {
        /** As many operations as they get answers for, on all of so many SKUs alike. */
        public static Habits greedy(int each, String format, int skus) {
            return new Habits(each, random -> String.format(format, random.nextInt(skus)), "c", Duration.ZERO, 0);
        }
    }

    private final List<InventoryService> services;
    private final Habits habits;
    private final Hearing hearing;
    private final ExecutorService threads;
    private final Queue<Asked> held = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> surprises = new ConcurrentLinkedQueue<>();
    private final AtomicLong ids = new AtomicLong();
    private final AtomicLong done = new AtomicLong();
    private volatile boolean isOver;

    private Customers(List<InventoryService> services, Habits habits, Hearing hearing) {
        this.services = List.copyOf(services);
        this.habits = habits;
        this.hearing = hearing;
        this.threads = Executors.newFixedThreadPool(services.size() * habits.each());
    }

    /** They begin at once, and go on until {@link #close}. */
    public static Customers begin(List<InventoryService> services, Habits habits, Hearing hearing) {
        Customers customers = new Customers(services, habits, hearing);
        for (int i = 0; i < services.size() * habits.each(); i++) {
            Random random = new Random(habits.seed() + i);
            customers.threads.execute(() -> customers.shop(random));
        }
        return customers;
    }

    private void shop(Random random) {
        try {
            while (!isOver) {
                InventoryService service = services.get(random.nextInt(services.size()));
                switch (random.nextInt(4)) {
                    case 0 -> look(service, habits.skus().apply(random));
                    case 1 -> release(service);
                    default -> reserve(service, habits.skus().apply(random), 1 + random.nextInt(3));
                }
                done.incrementAndGet();
                if (!habits.pause().isZero()) {
                    LockSupport.parkNanos(habits.pause().toNanos());
                }
            }
        } catch (RuntimeException | Error surprise) {
            surprises.add(surprise);
        }
    }

    private static void look(InventoryService service, String sku) {
        try {
            int available = service.available(sku, WITHIN);
            if (available < 0) {
                throw new IllegalStateException(sku + " has " + available);
            }
        } catch (NothingHappenedException notNow) {
            // Whoever looks comes again.
        }
    }

    private void reserve(InventoryService service, String sku, int quantity) {
        Asked operation = new Asked("r-" + habits.name() + "-" + ids.incrementAndGet(), sku, quantity, null);
        if (happens(
                operation,
                service,
                () -> service.reserve(
                        new ReserveRequest(operation.id(), "order-" + operation.id(), sku, quantity), WITHIN))) {
            held.add(operation);
        }
    }

    /** The oldest first, so that most were made before their SKU moved. */
    private void release(InventoryService service) {
        Asked reserved = held.poll();
        if (reserved == null) {
            return;
        }
        Asked operation = new Asked(
                "x-" + habits.name() + "-" + ids.incrementAndGet(), reserved.sku(), reserved.quantity(), reserved.id());
        if (!happens(
                operation, service, () -> service.release(new ReleaseRequest(operation.id(), reserved.id()), WITHIN))) {
            held.add(reserved);
        }
    }

    private boolean happens(Asked operation, InventoryService service, Runnable sends) {
        hearing.asked(operation);
        Answer answer = answer(operation, service, sends);
        hearing.told(operation.id(), answer);
        return answer == Answer.DONE;
    }

    private static Answer answer(Asked operation, InventoryService service, Runnable sends) {
        try {
            sends.run();
            return Answer.DONE;
        } catch (NothingHappenedException no) {
            return Answer.NOT_NOW;
        } catch (OutOfStockException no) {
            return Answer.OUT_OF_STOCK;
        } catch (UnknownOutcomeException unknown) {
            return settled(operation, service);
        }
    }

    private static Answer settled(Asked operation, InventoryService service) {
        while (true) {
            try {
                return service.outcome(operation.sku(), operation.id(), WITHIN) == Outcome.HAPPENED
                        ? Answer.DONE
                        : Answer.NOT_NOW;
            } catch (UnknownOutcomeException again) {
                // Asked until it is known: a customer whose order hangs on it has no choice.
            }
        }
    }

    /** How many operations have come to an end, looks and refusals included. */
    public long done() {
        return done.get();
    }

    /** What should not have been thrown; whoever met it does nothing any more. */
    public List<Throwable> surprises() {
        return List.copyOf(surprises);
    }

    /** Lets each end what it is about. */
    @Override
    public void close() throws InterruptedException {
        isOver = true;
        threads.shutdown();
        if (!threads.awaitTermination(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException("customers are stuck");
        }
    }
}
