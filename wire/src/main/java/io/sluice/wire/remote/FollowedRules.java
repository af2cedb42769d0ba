package io.sluice.wire.remote;

import io.sluice.core.problem.Problem;
import io.sluice.core.rule.InMemoryRuleSource;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.rule.RuleSource;
import io.sluice.core.rule.RuleState;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a process that follows an origin, a server or a config centre: takes what the origin gives, holds the newest,
 * keeps it for the next start, counts the rest and knows how far the current rules can be trusted. Rules only ever change to
 * newer ones. How the origin is asked is up to the one that follows it, on one thread; everybody may read.
 */
public final class FollowedRules implements RuleSource {
    private static final System.Logger LOG = System.getLogger(FollowedRules.class.getName());

    private final String origin;
    private final @Nullable LastGoodFile lastGood;
    private final Duration staleAfter;
    private final InstantSource clock;
    private final InMemoryRuleSource rules = new InMemoryRuleSource();
    private final InMemoryRuleSource settled = new InMemoryRuleSource();
    private final @Nullable Keeper keeper;

    private final AtomicLong refusedDocuments = new AtomicLong();
    private final AtomicLong olderDocuments = new AtomicLong();
    private final AtomicLong conflicts = new AtomicLong();
    private final AtomicLong failedReads = new AtomicLong();
    private volatile List<Problem> lastRefusal = List.of();
    private volatile List<Problem> refusal = List.of();
    private volatile @Nullable Instant lastHeard;
    private boolean isAway;
    private boolean isRefusing;

    /**
     * @param origin what logs call it, like {@code the server}
     * @param lastGood where the newest rules are kept; null for nowhere
     * @param staleAfter after how long without word from the origin the state is STALE
     * @param clock matters for the state only
     */
    public FollowedRules(String origin, @Nullable LastGoodFile lastGood, Duration staleAfter, InstantSource clock) {
        this.origin = origin;
        this.lastGood = lastGood;
        this.keeper = lastGood == null ? null : new Keeper(lastGood, settled::offer);
        this.staleAfter = staleAfter;
        this.clock = clock;
    }

    /** The wall clock's time now, and from then on as much later as really went by, whatever is done to the wall clock. */
    public static InstantSource steadyClock() {
        Instant started = Instant.now();
        long startedNanos = System.nanoTime();
        return () -> started.plusNanos(System.nanoTime() - startedNanos);
    }

    /** Takes the last good rules from the disk, if there are any. */
    public void load() {
        if (lastGood != null) {
            lastGood.load().ifPresent(kept -> {
                rules.offer(kept);
                settled.offer(kept);
            });
        }
    }

    /** The origin gave these rules: they hold from now on if they are newer. */
    public void take(RuleSet offered) {
        if (offered.isNewerThan(current())) {
            refusal = List.of(); // Before any listener tells the server that these rules hold.
        }
        switch (rules.offer(offered)) {
            case APPLIED -> {
                heard();
                LOG.log(Level.INFO, "rules are at {0}", Revision.of(offered));
                if (keeper == null) {
                    settled.offer(offered);
                } else {
                    keeper.keep(offered);
                }
            }
            case KNOWN -> heard();
            case OLDER -> olderDocuments.incrementAndGet();
            case CONFLICT -> {
                if (conflicts.incrementAndGet() == 1) {
                    LOG.log(Level.ERROR, "two different rule sets have the revision {0}", Revision.of(offered));
                }
            }
        }
    }

    /** The origin said that the current rules are its newest: FRESH tells that, not just that it is alive. */
    public void heard() {
        lastHeard = clock.instant();
        isRefusing = false;
        refusal = List.of();
    }

    /** The origin gave something that cannot be used. */
    public void refuse(List<Problem> problems) {
        refusedDocuments.incrementAndGet();
        if (!isRefusing || !problems.equals(lastRefusal)) {
            LOG.log(Level.ERROR, "{0} gave what cannot be used; the rules stay as they are: {1}", origin, problems);
        }
        isRefusing = true;
        lastRefusal = List.copyOf(problems);
        refusal = lastRefusal;
    }

    /** The origin did not answer, or with an error. */
    public void missed(String why) {
        failedReads.incrementAndGet();
        if (!isAway) {
            LOG.log(Level.WARNING, "{0} does not give rules ({1}); deciding by the last ones", origin, why);
        }
        isAway = true;
    }

    /** The origin answered, whatever it said. */
    public void answered() {
        if (isAway) {
            LOG.log(Level.INFO, "{0} gives rules again", origin);
        }
        isAway = false;
    }

    @Override
    public RuleSet current() {
        return rules.current();
    }

    @Override
    public RuleSource settled() {
        return settled;
    }

    @Override
    public RuleState state() {
        Instant heard = lastHeard;
        if (heard != null) {
            boolean isRecent = clock.instant().isBefore(heard.plus(staleAfter));
            return isRecent ? RuleState.FRESH : RuleState.STALE;
        }
        return current().equals(RuleSet.empty()) ? RuleState.NO_RULES : RuleState.LAST_KNOWN_GOOD;
    }

    @Override
    public Subscription subscribe(Consumer<RuleSet> listener) {
        return rules.subscribe(listener);
    }

    /** When the origin last confirmed that the current rules are the newest; empty before it ever did. */
    public Optional<Instant> lastHeard() {
        return Optional.ofNullable(lastHeard);
    }

    public long refusedDocuments() {
        return refusedDocuments.get();
    }

    /** Why the newest refused document could not be used; empty when there was none. */
    public List<Problem> lastRefusal() {
        return lastRefusal;
    }

    public long olderDocuments() {
        return olderDocuments.get();
    }

    @Override
    public List<Problem> refusal() {
        return refusal;
    }

    /** How many documents had the current revision and another content. */
    public long conflicts() {
        return conflicts.get();
    }

    public long failedReads() {
        return failedReads.get();
    }

    /** How many rule sets could not be kept for the next start. */
    public long failedWrites() {
        return lastGood == null ? 0 : lastGood.failedWrites();
    }

    public long failedListeners() {
        return rules.failedListeners() + settled.failedListeners();
    }

    @Override
    public void close() {
        rules.close();
        if (keeper != null) {
            keeper.close();
        }
        settled.close();
    }
}
