package io.sluice.migration.simulation;

import io.sluice.migration.branch.Grant;
import io.sluice.migration.branch.NothingHappenedException;
import io.sluice.migration.branch.Outcome;
import io.sluice.migration.branch.UnknownOutcomeException;
import io.sluice.migration.evidence.Tally;
import io.sluice.migration.move.HandBack;
import io.sluice.migration.move.MoveListener;
import io.sluice.migration.move.MoveResult;
import io.sluice.migration.move.Mover;
import io.sluice.migration.owner.Fence;
import io.sluice.migration.owner.Owned;
import io.sluice.migration.plan.Plan;
import io.sluice.migration.plan.PlanSource;
import io.sluice.migration.plan.Side;
import io.sluice.migration.routing.Deadline;
import io.sluice.migration.routing.Router;
import io.sluice.migration.simulation.Row.Answer;
import io.sluice.migration.simulation.Schedule.Process;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * A shop whose stock moves from one ledger to another and back while it sells: routers that know plans of different age,
 * two movers, customers who come again when they don't know what became of their wish. The routers and movers are the real
 * ones; database, network, clock and chance are {@link Schedule}'s. What must never be is a {@link Violation}.
 */
final class MoveWorld {
    private static final List<String> KEYS = List.of("tea", "cup", "pot");
    private static final int MOST_TRIES = 6;
    /** More than all suspensions of a customer together. */
    private static final Duration LONGEST = Duration.ofMinutes(15);
    /** Longer than any move takes when nothing goes wrong. */
    private static final Duration PATIENT = Duration.ofSeconds(2);

    private final Schedule schedule;
    private final Random random;
    private final Planted planted;
    private final Truth truth;
    private final SimulatedOwners owners;
    private final StockCopy copy;
    private final Mover<Transaction> mover;
    private final HandBack handBack = new Hands();
    private final Wire legacy;
    private final Wire newer;
    private final boolean isCalm;
    private final List<String> keys;
    private final List<HeardPlan> listeners = new ArrayList<>();
    private final List<Customer> customers = new ArrayList<>();
    private final Map<String, Router<Stock>> routers = new LinkedHashMap<>();
    private final Set<String> unfenced = new HashSet<>();
    private Plan published = Plan.start("stock");
    private int operations;
    private boolean plansAreOver;
    private boolean sideWasDown;

    MoveWorld(long seed, Planted planted, ExecutorService threads, boolean traced) {
        this.random = new Random(seed * 0x9e3779b97f4a7c15L);
        this.planted = planted;
        this.schedule = new Schedule(random, Faults.draw(random), threads, traced);
        this.isCalm = schedule.faults().equals(Faults.NONE);
        this.truth = new Truth(schedule);
        Database database = new Database(schedule, truth::beforeCommit, truth::afterCommit);
        this.owners = new SimulatedOwners(database, schedule, planted);
        this.keys = KEYS.subList(0, 1 + random.nextInt(KEYS.size()));
        Map<String, Integer> stock = new LinkedHashMap<>();
        keys.forEach(key -> stock.put(key, 3 + random.nextInt(10)));
        truth.start(database, stock);

        Fence<Transaction> open = new OpenFence();
        Fence<Transaction> fence = planted == Planted.FALLBACK_WITHOUT_HAND_BACK ? new SkippedFence() : owners;
        this.legacy = new Wire(
                schedule,
                planted,
                Side.LEGACY,
                new LedgerStock.Legacy(database, fence, planted),
                new LedgerStock.New(database, open, planted));
        this.newer = new Wire(
                schedule,
                planted,
                Side.NEW,
                new LedgerStock.New(database, owners, planted),
                new LedgerStock.Legacy(database, open, planted));
        Duration drainLimit = Duration.ofMillis(100 + random.nextInt(15_000));
        this.copy = new StockCopy(planted);
        this.mover = new Mover<>(owners, copy, drainLimit, MoveListener.NONE, schedule::nanos);
    }

    /** Plays it to its end and throws what was violated. */
    Map<String, Integer> run() {
        int processes = 2 + random.nextInt(2);
        for (int i = 1; i <= processes; i++) {
            String name = "router-" + i;
            List<Customer> here = new ArrayList<>();
            for (int c = 0; c < 1 + random.nextInt(2); c++) {
                Customer customer = new Customer("c" + (customers.size() + 1), 3 + random.nextInt(6));
                customers.add(customer);
                here.add(customer);
            }
            startRouter(name, here);
        }
        startMover("mover-1");
        startMover("mover-2");
        schedule.spawn("operator", null, this::operate);
        schedule.spawn("closer", null, this::close);
        schedule.run();
        return schedule.counts();
    }

    String trace() {
        return schedule.trace();
    }

    // ---- Who knows of which plan

    private final class HeardPlan implements PlanSource {
        private Plan heard = published;

        @Override
        public Plan current() {
            return heard;
        }

        @Override
        public Plan refresh() {
            schedule.step("looks up the plan");
            if (random.nextInt(10) > 0) {
                heard = published;
            }
            return heard;
        }

        void hear(Plan plan) {
            if (plan.revision() > heard.revision()) {
                heard = plan;
            }
        }
    }

    private HeardPlan listen() {
        HeardPlan listener = new HeardPlan();
        listeners.add(listener);
        return listener;
    }

    private void operate() {
        int changes = 1 + random.nextInt(4);
        for (int i = 0; i < changes; i++) {
            schedule.sleep(Duration.ofMillis(random.nextInt(500)));
            publish(published.withPercent(published.newPercent() < 50 ? 50 + random.nextInt(51) : random.nextInt(51)));
            if (random.nextInt(4) == 0) {
                schedule.sleep(Duration.ofMillis(random.nextInt(100)));
                sideWasDown = true;
                newer.down(Duration.ofMillis(random.nextInt(1_500)));
            }
        }
        plansAreOver = true;
    }

    private void publish(Plan plan) {
        schedule.note(() -> "plan " + plan.revision() + ": " + plan.newPercent() + " percent");
        published = plan;
        for (HeardPlan listener : List.copyOf(listeners)) {
            schedule.later(Duration.ofMillis(random.nextInt(3_000)), () -> listener.hear(plan));
        }
    }

    // ---- Routers and their customers

    private void startRouter(String name, List<Customer> here) {
        HeardPlan plans = listen();
        Router<Stock> router = router(plans);
        routers.put(name, router);
        Process process = new Process(name, false, () -> {
            listeners.remove(plans);
            schedule.later(Duration.ofMillis(random.nextInt(2_000)), () -> startRouter(name, here));
        });
        for (Customer customer : here) {
            if (!customer.isServed()) {
                schedule.spawn(name + "/" + customer.name, process, () -> customer.shop(router));
            }
        }
    }

    private Router<Stock> router(PlanSource plans) {
        return Router.<Stock>builder()
                .legacy(legacy)
                .newer(newer)
                .plans(plans)
                .handBack(handBack)
                .tally(new Counts())
                .sleeper(schedule::sleep)
                .build();
    }

    /** So that a run can tell what it has seen. */
    private final class Counts implements Tally {
        @Override
        public void fellBack() {
            schedule.count("fell back");
        }

        @Override
        public void unanswered(Side side) {
            schedule.count("unanswered by " + side.label());
        }

        @Override
        public void wasBehind() {
            schedule.count("was behind");
        }
    }

    /** One thing that a customer wants. Known outside of the process that may die over it. */
    private static final class Wish {
        final String id;
        final String key;
        final int quantity;
        /** Empty for a reservation. */
        final String releases;

        int tries;

        Wish(String id, String key, int quantity, String releases) {
            this.id = id;
            this.key = key;
            this.quantity = quantity;
            this.releases = releases;
        }
    }

    private record Reserved(String id, String key) {}

    private final class Customer {
        final String name;
        private int wishes;
        private @Nullable Wish wish;
        private final List<Wish> unresolved = new ArrayList<>();
        private final List<Reserved> reserved = new ArrayList<>();
        private Duration patience = Duration.ZERO;

        Customer(String name, int wishes) {
            this.name = name;
            this.wishes = wishes;
        }

        boolean isServed() {
            return wishes == 0 && wish == null;
        }

        void shop(Router<Stock> router) {
            while (!isServed()) {
                Wish now = wish;
                if (now == null) {
                    now = next();
                    wish = now;
                    wishes--;
                    look(router);
                }
                boolean isKnown = now.tries > 0 && random.nextBoolean() ? isTold(router, now) : isDone(router, now);
                if (isKnown) {
                    wish = null;
                } else if (now.tries >= MOST_TRIES) {
                    unresolved.add(now);
                    wish = null;
                }
                schedule.sleep(Duration.ofMillis(random.nextInt(100)));
            }
        }

        private Wish next() {
            String id = name + "-" + ++operations;
            if (!reserved.isEmpty() && random.nextInt(3) == 0) {
                // Sometimes it is kept and released again.
                int place = random.nextInt(reserved.size());
                Reserved old = random.nextInt(4) == 0 ? reserved.get(place) : reserved.remove(place);
                return new Wish(id, old.key, 0, old.id);
            }
            return new Wish(id, keys.get(random.nextInt(keys.size())), 1 + random.nextInt(3), "");
        }

        private Deadline deadline() {
            patience = Duration.ofMillis(50 + random.nextInt(4_000));
            return MoveWorld.this.deadline(patience);
        }

        private void look(Router<Stock> router) {
            String key = keys.get(random.nextInt(keys.size()));
            long since = schedule.steps();
            if (random.nextInt(4) == 0) {
                try {
                    truth.read(key, router.read(key, deadline(), Stock::available), since);
                } catch (NothingHappenedException notNow) {
                    schedule.count("read not answered");
                }
            } else if (random.nextInt(5) == 0) {
                shadow(key);
            }
        }

        /** Whatever a shadow tries, it only reads, and copies to the side that nobody reads. */
        private void shadow(String key) {
            Side side = truth.side(key).other();
            Wire wire = side == Side.NEW ? newer : legacy;
            try {
                if (random.nextBoolean()) {
                    schedule.count(owners.mirror(key, copy) ? "mirrored" : "not mirrored");
                    return;
                }
                wire.available(Grant.shadow(key, side));
                schedule.count("shadow read");
                wire.reserve(Grant.shadow(key, side), name + "-shadow-" + ++operations, 1);
            } catch (IllegalArgumentException isRefused) {
                schedule.count("shadow write refused");
            } catch (NothingHappenedException | Refused | UnknownOutcomeException | IllegalStateException notNow) {
                schedule.count("shadow not answered");
            }
        }

        /** Tries, and whether the customer knows for certain now. */
        private boolean isDone(Router<Stock> router, Wish now) {
            boolean isFirst = now.tries++ == 0;
            schedule.note(() -> (isFirst ? "wants " : "wants again ") + now.id
                    + (now.releases.isEmpty() ? ": " + now.quantity : ": releases " + now.releases) + " of " + now.key);
            try {
                Answer answer = send(router, now);
                truth.told(now.key, now.id, answer);
                schedule.note(() -> now.id + " is " + answer);
                if (answer == Answer.RESERVED) {
                    reserved.add(new Reserved(now.id, now.key));
                }
                return true;
            } catch (Refused no) {
                schedule.note(() -> now.id + " is " + no.answer());
                truth.told(now.key, now.id, no.answer());
                return true;
            } catch (NothingHappenedException nothing) {
                schedule.note(() -> now.id + ": " + nothing.getMessage());
                if (isFirst) {
                    truth.toldNothing(now.key, now.id);
                    requireReason(nothing);
                }
                return isFirst;
            } catch (UnknownOutcomeException unknown) {
                schedule.note(() -> now.id + ": " + unknown.getMessage());
                schedule.count("told unknown");
                return false;
            }
        }

        /** Where nothing goes wrong a move is over before a patient caller goes. */
        private void requireReason(NothingHappenedException nothing) {
            if (isCalm && !sideWasDown && patience.compareTo(PATIENT) > 0) {
                throw new Violation("nobody answers though all are well: " + nothing.getMessage());
            }
        }

        private Answer send(Router<Stock> router, Wish now) {
            if (now.releases.isEmpty()) {
                return router.write(
                        now.key, now.id, deadline(), (side, grant) -> side.reserve(grant, now.id, now.quantity));
            }
            Side hint = random.nextBoolean() ? Side.NEW : Side.LEGACY;
            return router.writeByOperation(
                    now.releases, hint, now.id, deadline(), (side, grant) -> side.release(grant, now.id, now.releases));
        }

        private boolean isTold(Router<Stock> router, Wish now) {
            now.tries++;
            schedule.note(() -> "asks for " + now.id);
            try {
                Outcome outcome = router.outcome(now.key, now.id, deadline());
                schedule.note(() -> now.id + ": " + outcome);
                truth.toldOutcome(now.key, now.id, outcome == Outcome.HAPPENED);
                if (outcome == Outcome.HAPPENED && now.releases.isEmpty()) {
                    reserved.add(new Reserved(now.id, now.key));
                }
                return true;
            } catch (UnknownOutcomeException notNow) {
                schedule.note(() -> now.id + ": " + notNow.getMessage());
                return false;
            }
        }
    }

    private Deadline deadline(Duration patience) {
        return Deadline.in(patience, schedule::nanos, () -> false);
    }

    // ---- Movers

    private void startMover(String name) {
        HeardPlan plans = listen();
        Process process = new Process(name, true, () -> {
            listeners.remove(plans);
            schedule.later(Duration.ofMillis(random.nextInt(2_000)), () -> startMover(name));
        });
        schedule.spawn(name, process, () -> {
            while (!isShopClosed()) {
                move(plans.refresh());
                schedule.sleep(Duration.ofMillis(random.nextInt(600)));
            }
        });
    }

    private boolean isShopClosed() {
        return plansAreOver && customers.stream().allMatch(Customer::isServed);
    }

    private void move(Plan plan) {
        try {
            if (planted != Planted.NOBODY_FINISHES) {
                for (Owned frozen : owners.frozenFor(Duration.ofSeconds(1), 10)) {
                    schedule.count("finished by a mover");
                    mover.finish(frozen, Duration.ofSeconds(1));
                }
            }
            for (Owned owned : owners.of(keys).values()) {
                Side wanted = plan.wanted(owned.key());
                // What moved under a later plan is for those who know it.
                boolean isBehind = owned.planRevision() > plan.revision();
                if (owned.side() != wanted && !isBehind && !plan.isHandedBack(owned.side(), owned.epoch())) {
                    MoveResult result = mover.move(owned.key(), wanted, plan.epoch());
                    schedule.count("move " + result.getClass().getSimpleName());
                    if (result instanceof MoveResult.Moved moved) {
                        truth.toldMoved(moved.now());
                    }
                }
            }
        } catch (NothingHappenedException | UnknownOutcomeException database) {
            schedule.note(() -> "gives up for now: " + database.getMessage());
        }
    }

    // ---- The end

    /** When all wishes are over faults end too, and then everything has to come to rest. */
    private void close() {
        if (!schedule.await(this::isShopClosed, LONGEST)) {
            throw new Violation("customers wait for too long");
        }
        schedule.calm();
        if (!schedule.await(() -> legacy.isQuiet() && newer.isQuiet(), LONGEST)) {
            throw new Violation("requests are under way for too long");
        }
        // What others still hold open ends by its limit.
        schedule.sleep(Duration.ofMinutes(2));
        HeardPlan plans = listen();
        plans.hear(published);
        move(published);
        Router<Stock> router = router(plans);
        for (Customer customer : customers) {
            for (Wish wish : customer.unresolved) {
                if (!customer.isTold(router, wish)) {
                    throw new Violation("nobody can tell what became of " + wish.id);
                }
            }
        }
        if (planted != Planted.NOBODY_FINISHES) {
            routers.values().forEach(this::requireUsable);
        }
        truth.requireEnd();
        for (Owned owned : owners.of(keys).values()) {
            boolean isHandedBack = published.isHandedBack(owned.side(), owned.epoch());
            if (owned.side() != published.wanted(owned.key()) && !isHandedBack) {
                throw new Violation("a key is not where the plan wants it: " + owned);
            }
        }
    }

    /** Whatever a router has gone through, it finds each key's owner. */
    private void requireUsable(Router<Stock> router) {
        for (String key : keys) {
            String id = "last-" + ++operations;
            try {
                truth.told(
                        key, id, router.write(key, id, deadline(PATIENT), (side, grant) -> side.reserve(grant, id, 1)));
            } catch (Refused no) {
                truth.told(key, id, no.answer());
            } catch (NothingHappenedException lost) {
                throw new Violation("a router does not find the owner: " + lost.getMessage());
            }
        }
    }

    // ---- Bugs that stand between the real parts

    /** Lets everybody pass. */
    private final class OpenFence implements Fence<Transaction> {
        @Override
        public void admitWrite(Transaction transaction, Grant grant) {
            transaction.admitted(schedule.steps());
        }

        @Override
        public void admitRead(Transaction transaction, Grant grant) {}
    }

    /** Lets a key pass that a router believes to have handed back. */
    private final class SkippedFence implements Fence<Transaction> {
        @Override
        public void admitWrite(Transaction transaction, Grant grant) {
            if (unfenced.contains(grant.key())) {
                transaction.admitted(schedule.steps());
            } else {
                owners.admitWrite(transaction, grant);
            }
        }

        @Override
        public void admitRead(Transaction transaction, Grant grant) {
            owners.admitRead(transaction, grant);
        }
    }

    /** What routers call: the mover, counted, and with the bugs that belong here. */
    private final class Hands implements HandBack {
        @Override
        public Owned toLegacy(Owned owned, Duration within) {
            schedule.note(() -> "hands " + owned.key() + " back");
            if (planted == Planted.FALLBACK_WITHOUT_HAND_BACK) {
                unfenced.add(owned.key());
                return new Owned(owned.key(), Side.LEGACY, owned.epoch(), null, Duration.ZERO);
            }
            return mover.toLegacy(owned, within);
        }

        @Override
        public Owned finish(Owned frozen, Duration within) {
            schedule.note(() -> "finishes the move of " + frozen.key());
            schedule.count("finished by a router");
            return planted == Planted.NOBODY_FINISHES ? frozen : mover.finish(frozen, within);
        }
    }
}
