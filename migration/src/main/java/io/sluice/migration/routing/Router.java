package io.sluice.migration.routing;

import io.sluice.core.problem.Problems;
import io.sluice.core.problem.RefusedException;
import io.sluice.migration.branch.Branch;
import io.sluice.migration.branch.BusinessAnswerException;
import io.sluice.migration.branch.Grant;
import io.sluice.migration.branch.NothingHappenedException;
import io.sluice.migration.branch.Outcome;
import io.sluice.migration.branch.Read;
import io.sluice.migration.branch.UnknownOperationException;
import io.sluice.migration.branch.UnknownOutcomeException;
import io.sluice.migration.branch.Versioned;
import io.sluice.migration.evidence.Tally;
import io.sluice.migration.move.HandBack;
import io.sluice.migration.owner.Owned;
import io.sluice.migration.owner.OwnerChangedException;
import io.sluice.migration.owner.Owners;
import io.sluice.migration.plan.Keys;
import io.sluice.migration.plan.Plan;
import io.sluice.migration.plan.PlanSource;
import io.sluice.migration.plan.Side;
import io.sluice.migration.shadow.SecondLook;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends each operation to the side that owns its key. Made once per process and migration, used by all threads.
 *
 * <pre>{@code
 * Router<Inventory> router = Router.<Inventory>builder()
 *         .legacy(legacy)
 *         .newer(newer)
 *         .plans(directives)
 *         .handBack(mover)
 *         .build();
 *
 * router.write(sku, reservationId, Deadline.in(Duration.ofSeconds(1)),
 *         (side, grant) -> side.reserve(grant, reservationId, 2));
 * }</pre>
 *
 * <p><b>Where it goes.</b> First where the plan wants the key, or where a fence has said it is. When that is wrong the
 * fence refuses, nothing has happened, and the router goes where the fence has said, looking up the plan if that moved the
 * key. While the key is being moved it pauses, 1 ms at first and up to 50 ms, and finishes a move itself that stands still.
 * It ends when the deadline does.
 *
 * <p><b>Falling back.</b> Only a write, only when the new side has thrown a {@link NothingHappenedException}, only while the
 * caller waits, once for each call: the key is handed back to legacy with its ledger, and then the write goes there. A
 * {@link BusinessAnswerException} or an {@link UnknownOutcomeException} never falls back, and nothing that legacy says goes
 * to the new side. A read does not fall back either: it would have to move the key, and a read changes nothing.
 *
 * <p>The request path takes no lock of its own and waits for nobody while the key is open where it was guessed.
 *
 * <p><b>Not guaranteed.</b> A try that is under way is not ended when the deadline is: give the side a time-out.
 */
public final class Router<B extends Branch> {
    private static final Logger log = LoggerFactory.getLogger(Router.class);

    private final B legacy;
    private final B newer;
    private final PlanSource plans;
    private final @Nullable HandBack handBack;
    private final Tally tally;
    private final SecondLook<B> secondLook;
    private final Duration finishAfter;
    private final Sleeper sleeper;
    private final Remembered remembered = new Remembered();

    private Router(B legacy, B newer, PlanSource plans, Builder<B> builder) {
        this.legacy = legacy;
        this.newer = newer;
        this.plans = plans;
        this.handBack = builder.handBack;
        this.tally = builder.tally;
        this.secondLook = builder.secondLook;
        this.finishAfter = builder.finishAfter;
        this.sleeper = builder.sleeper;
    }

    public static <B extends Branch> Builder<B> builder() {
        return new Builder<>();
    }

    /**
     * Has the owner of a key do a write. Sending it again with the same id is safe, also after the key has moved.
     *
     * @param operationId by which the write happens once and can be asked for
     * @throws NothingHappenedException when it has not happened and will not: the owner is not available, the key was
     *     being moved until the deadline, or the deadline was over before the first try
     * @throws BusinessAnswerException when the owner has said no
     * @throws UnknownOutcomeException when it may have happened, which is what any exception of a side but these three means
     * @throws RefusedException for a key or an id that is none; no side was asked
     */
    public <R> R write(String key, String operationId, Deadline deadline, Write<B, R> write) {
        Keys.require(key);
        requireId("operationId", operationId);
        requireTime(key, deadline);
        Grant grant = guess(key);
        Detour detour = null;
        while (true) {
            NothingHappenedException nothing;
            try {
                R result = write.on(branch(grant.side()), grant);
                tally.succeeded(grant.side());
                return result;
            } catch (NothingHappenedException happened) {
                nothing = happened;
            } catch (BusinessAnswerException answer) {
                throw answer;
            } catch (UnknownOutcomeException unknown) {
                tally.unknown(grant.side());
                throw unknown;
            } catch (Exception undeclared) {
                tally.unknown(grant.side());
                throw new UnknownOutcomeException(operationId, undeclared);
            } catch (Error error) {
                tally.unknown(grant.side());
                throw error;
            }
            if (detour == null) {
                detour = new Detour(key, deadline, handBack, true);
            }
            grant = detour.next(grant, nothing);
        }
    }

    /**
     * The answer of the key's owner, which the second look may compare with the other side's. Nothing else comes from there.
     *
     * @throws NothingHappenedException when the owner is not available, or was not found until the deadline
     * @throws RefusedException for a key that is none; no side was asked
     * @throws RuntimeException whatever else the owner throws, as it is
     */
    public <R> R read(String key, Deadline deadline, Read<B, R> read) {
        Keys.require(key);
        requireTime(key, deadline);
        Grant grant = guess(key);
        Detour detour = null;
        while (true) {
            NothingHappenedException nothing;
            try {
                Versioned<R> answer = read.on(branch(grant.side()), grant);
                tally.succeeded(grant.side());
                offer(grant, read, answer);
                return answer.value();
            } catch (NothingHappenedException happened) {
                nothing = happened;
            } catch (BusinessAnswerException answer) {
                throw answer;
            } catch (RuntimeException | Error undeclared) {
                tally.unanswered(grant.side());
                throw undeclared;
            }
            if (detour == null) {
                detour = new Detour(key, deadline, null, false);
            }
            grant = detour.next(grant, nothing);
        }
    }

    /**
     * Has a write done that names no key but an earlier operation, like the release of a reservation. The sides are asked
     * which key that one belongs to, which changes nothing; then it is a write like any other, to the owner of that key and
     * never to both.
     *
     * @param earlierId the id of the earlier operation
     * @param hint the side that is asked first, like from a prefix of the id. A wrong one costs one question, so it may be
     *     forged
     * @param operationId of this write, see {@link #write}
     * @throws UnknownOperationException when neither side knows the earlier operation
     * @throws NothingHappenedException also when one side does not know it and the other can't tell
     */
    public <R> R writeByOperation(
            String earlierId, Side hint, String operationId, Deadline deadline, Write<B, R> write) {
        requireId("earlierId", earlierId);
        requireId("operationId", operationId);
        requireTime(earlierId, deadline);
        return write(keyOf(earlierId, hint), operationId, deadline, write);
    }

    /**
     * What became of a write whose outcome was unknown, finally. Asked of the key's owner, like a write: an owner that is not
     * available hands the key back, after which legacy knows.
     *
     * @throws UnknownOutcomeException when nobody can tell now
     * @throws RefusedException for a key or an id that is none
     */
    public Outcome outcome(String key, String operationId, Deadline deadline) {
        try {
            return write(key, operationId, deadline, (branch, grant) -> branch.outcome(grant, operationId));
        } catch (NothingHappenedException cantTell) {
            // Nothing came of the question. Of the write it says nothing, and nobody may take it for an answer.
            throw new UnknownOutcomeException(operationId, cantTell);
        }
    }

    /** Where an operation on a key would be tried first. Asks nobody. */
    public Route route(String key) {
        Keys.require(key);
        Plan plan = plans.current();
        Side wanted = plan.wanted(key);
        Owned known = remembered.of(key, wanted, plan);
        return new Route(key, plan, wanted, known == null ? wanted : known.side());
    }

    /** In one line, which side is wanted and why, and which one owns the key, for which the database is asked. */
    public String explain(String key, Owners<?> owners) {
        return route(key).explain(owners.of(key));
    }

    private Grant guess(String key) {
        Plan plan = plans.current();
        Side wanted = plan.wanted(key);
        Owned known = remembered.of(key, wanted, plan);
        return known == null
                ? Grant.of(key, wanted, plan.epoch())
                : Grant.of(key, known.side(), Math.max(plan.epoch(), known.epoch()));
    }

    private String keyOf(String earlierId, Side hint) {
        NothingHappenedException cantTell = null;
        // The first side again at the end: while the second was asked the key may have moved back from there.
        for (Side side : new Side[] {hint, hint.other(), hint}) {
            try {
                Optional<String> key = branch(side).keyOf(earlierId);
                if (key.isPresent()) {
                    return key.get();
                }
            } catch (NothingHappenedException unavailable) {
                cantTell = joined(cantTell, unavailable);
            } catch (RuntimeException undeclared) {
                // A question changes nothing, however it fails.
                cantTell = joined(
                        cantTell,
                        new NothingHappenedException(
                                side.label() + " can't tell which key operation " + earlierId + " belongs to",
                                undeclared));
            }
        }
        if (cantTell != null) {
            throw cantTell;
        }
        throw new UnknownOperationException(earlierId);
    }

    private <R> void offer(Grant grant, Read<B, R> read, Versioned<R> answer) {
        try {
            secondLook.offer(grant, read, answer);
        } catch (RuntimeException broken) {
            tally.notCompared();
            log.debug("the second look at key {} failed", grant.key(), broken);
        }
    }

    private B branch(Side side) {
        return side == Side.LEGACY ? legacy : newer;
    }

    private static void requireTime(String what, Deadline deadline) {
        if (deadline.isOver()) {
            throw new NothingHappenedException("nothing was tried for " + what + ": the caller waits no longer", null);
        }
    }

    private static void requireId(String path, @Nullable String id) {
        if (id == null || id.isEmpty()) {
            throw new RefusedException(path, id == null ? "null" : "empty", "must be given");
        }
    }

    private static NothingHappenedException joined(
            @Nullable NothingHappenedException first, NothingHappenedException second) {
        if (first == null) {
            return second;
        }
        if (first != second) {
            first.addSuppressed(second);
        }
        return first;
    }

    /** What one request goes through after its first try was in vain. Used by its thread alone. */
    private final class Detour {
        /** So many answers of fences that the next try belies; more is a fence that contradicts itself. */
        private static final int MOST_REFUSALS = 20;

        private static final Duration FIRST_PAUSE = Duration.ofMillis(1);
        private static final Duration LONGEST_PAUSE = Duration.ofMillis(50);

        private final String key;
        private final Deadline deadline;
        private final @Nullable HandBack handBack;
        private final boolean waits;
        private Duration pause = FIRST_PAUSE;
        private int refusals;
        private boolean hasLookedUp;
        private boolean hasFallenBack;
        private @Nullable RuntimeException notFinished;

        /** @param waits whether a key that is being moved is waited for; a read is answered by its owner meanwhile */
        Detour(String key, Deadline deadline, @Nullable HandBack handBack, boolean waits) {
            this.key = key;
            this.deadline = deadline;
            this.handBack = handBack;
            this.waits = waits;
        }

        /** The grant for the next try, or the end. */
        Grant next(Grant tried, NothingHappenedException nothing) {
            return nothing instanceof OwnerChangedException changed
                    ? afterRefusal(changed)
                    : afterFailure(tried, nothing);
        }

        private Grant afterRefusal(OwnerChangedException changed) {
            Owned owned = changed.owned();
            lookUpPlan(owned);
            if (owned.isFrozen() && waits) {
                requireTime("it is being moved", changed);
                Owned now = owned.age().compareTo(finishAfter) > 0 ? finished(owned) : owned;
                if (now.isFrozen()) {
                    pause(changed);
                }
                requireTime("it was being moved", changed);
                return grantBy(now);
            }
            if (!owned.isFrozen()) {
                tally.wasBehind();
                remembered.note(owned, plans.current());
            }
            if (++refusals > MOST_REFUSALS) {
                throw gaveUp("its fences have sent it round " + refusals + " times", changed);
            }
            if (refusals > 1) {
                pause(changed);
            }
            requireTime("it has just been moved", changed);
            return grantBy(owned);
        }

        private void lookUpPlan(Owned owned) {
            if (!hasLookedUp && owned.planRevision() > plans.current().revision()) {
                hasLookedUp = true;
                plans.refresh();
            }
        }

        /** Whoever began this move is gone or slow. */
        private Owned finished(Owned frozen) {
            if (handBack == null) {
                return frozen;
            }
            try {
                Owned now = handBack.finish(frozen, deadline.left());
                remembered.note(now, plans.current());
                return now;
            } catch (RuntimeException failed) {
                log.warn("the move of key {} could not be finished, writing where it is", key, failed);
                notFinished = failed;
                return frozen;
            }
        }

        private Grant afterFailure(Grant tried, NothingHappenedException nothing) {
            if (tried.side() == Side.LEGACY || handBack == null || hasFallenBack || deadline.isOver()) {
                tally.unanswered(tried.side());
                throw nothing;
            }
            Owned now = handedBack(handBack, tried, nothing);
            hasFallenBack = true;
            tally.fellBack();
            remembered.note(now, plans.current());
            requireTime("new was not available, and the key has just been handed back", nothing);
            return grantBy(now);
        }

        /** The least epoch is the grant's, so that the plan that it comes from does not take the key to new again. */
        private Owned handedBack(HandBack by, Grant tried, NothingHappenedException nothing) {
            Owned now;
            try {
                now = by.toLegacy(new Owned(key, Side.NEW, tried.epoch(), null, Duration.ZERO), deadline.left());
            } catch (RuntimeException failed) {
                tally.unanswered(Side.NEW);
                nothing.addSuppressed(failed);
                throw gaveUp(
                        "new is not available (" + nothing.getMessage() + "), and handing it back failed ("
                                + failed.getMessage() + ")",
                        nothing);
            }
            if (now.side() == Side.LEGACY && !now.isFrozen()) {
                return now;
            }
            tally.unanswered(Side.NEW);
            throw gaveUp(
                    "new is not available (" + nothing.getMessage() + "), and it could not be handed back in time: "
                            + (now.isFrozen() ? "it is being moved" : "it still belongs to new"),
                    nothing);
        }

        private Grant grantBy(Owned owned) {
            return Grant.of(key, owned.side(), Math.max(plans.current().epoch(), owned.epoch()));
        }

        private void pause(NothingHappenedException because) {
            Duration left = deadline.left();
            try {
                sleeper.sleep(pause.compareTo(left) < 0 ? pause : left);
            } catch (InterruptedException callerHasGone) {
                Thread.currentThread().interrupt();
                throw gaveUp("its caller was interrupted", because);
            }
            Duration longer = pause.multipliedBy(2);
            pause = longer.compareTo(LONGEST_PAUSE) < 0 ? longer : LONGEST_PAUSE;
        }

        private void requireTime(String why, NothingHappenedException because) {
            if (deadline.isOver()) {
                throw gaveUp("the deadline is over, and " + why, because);
            }
        }

        private NothingHappenedException gaveUp(String why, NothingHappenedException because) {
            NothingHappenedException end =
                    new NothingHappenedException("nothing happened to key " + key + ": " + why, because);
            if (notFinished != null) {
                end.addSuppressed(notFinished);
            }
            return end;
        }
    }

    /** What a router is made of. Used by one thread. */
    public static final class Builder<B extends Branch> {
        private @Nullable B legacy;
        private @Nullable B newer;
        private @Nullable PlanSource plans;
        private @Nullable HandBack handBack;
        private Tally tally = Tally.NONE;
        private SecondLook<B> secondLook = SecondLook.none();
        private Duration finishAfter = Duration.ofSeconds(1);
        private Sleeper sleeper = Sleeper.THREAD;

        private Builder() {}

        /** The old implementation. Required. */
        public Builder<B> legacy(B branch) {
            this.legacy = branch;
            return this;
        }

        /** The new implementation. Required. */
        public Builder<B> newer(B branch) {
            this.newer = branch;
            return this;
        }

        /** Where the plan comes from. Required. */
        public Builder<B> plans(PlanSource source) {
            this.plans = source;
            return this;
        }

        /**
         * Who hands keys back and finishes moves that stand still, most often a {@code Mover}. Without it nothing falls
         * back, and a key whose mover has died waits for the next one.
         */
        public Builder<B> handBack(HandBack by) {
            this.handBack = by;
            return this;
        }

        /** Who counts. */
        public Builder<B> tally(Tally counts) {
            this.tally = counts;
            return this;
        }

        /** Who compares reads with the other side's. */
        public Builder<B> secondLook(SecondLook<B> look) {
            this.secondLook = look;
            return this;
        }

        /** For how long a key has to be frozen until a writer finishes the move; 1 s unless given, 0..1 min. */
        public Builder<B> finishAfter(Duration frozen) {
            this.finishAfter = frozen;
            return this;
        }

        /** How it pauses. */
        public Builder<B> sleeper(Sleeper sleeps) {
            this.sleeper = sleeps;
            return this;
        }

        /** @throws RefusedException with everything that is missing or out of range */
        public Router<B> build() {
            Problems problems = new Problems();
            problems.require(legacy != null, "legacy", "not given", "must be the old implementation");
            problems.require(newer != null, "newer", "not given", "must be the new implementation");
            problems.require(plans != null, "plans", "not given", "must say where the plan comes from");
            problems.require(
                    legacy == null || legacy != newer, "newer", "the same as legacy", "must be another implementation");
            problems.require(
                    !finishAfter.isNegative() && finishAfter.compareTo(Duration.ofMinutes(1)) <= 0,
                    "finishAfter",
                    finishAfter,
                    "must be within 0..1 min");
            if (legacy == null || newer == null || plans == null || !problems.isEmpty()) {
                throw new RefusedException(problems.all());
            }
            return new Router<>(legacy, newer, plans, this);
        }
    }
}
