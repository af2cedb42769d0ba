package io.sluice.core.rule;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Rules held in memory: the one place where "newer wins" is decided. Other sources hand what they receive to one of
 * these.
 */
public final class InMemoryRuleSource implements RuleSource {
    private final List<Consumer<RuleSet>> listeners = new CopyOnWriteArrayList<>();
    private final AtomicLong failedListeners = new AtomicLong();
    private volatile RuleSet current = RuleSet.empty();

    /** What became of an offered rule set. */
    public enum Offer {
        /** It was newer and holds from now on. */
        APPLIED,
        /** It is the one that holds already. */
        KNOWN,
        /** It is older than the one that holds. */
        OLDER,
        /** It has the revision of the one that holds and another content: somebody breaks the rules of the origin. */
        CONFLICT
    }

    /** Takes a rule set if it is newer by epoch and revision. Listeners have been called when this returns. */
    public synchronized Offer offer(RuleSet offered) {
        if (!offered.isNewerThan(current)) {
            if (offered.equals(current)) {
                return Offer.KNOWN;
            }
            return current.isNewerThan(offered) ? Offer.OLDER : Offer.CONFLICT;
        }
        current = offered;
        listeners.forEach(listener -> tell(listener, offered));
        return Offer.APPLIED;
    }

    @Override
    public RuleSet current() {
        return current;
    }

    @Override
    public RuleState state() {
        return current.equals(RuleSet.empty()) ? RuleState.NO_RULES : RuleState.FRESH;
    }

    @Override
    public synchronized Subscription subscribe(Consumer<RuleSet> listener) {
        Objects.requireNonNull(listener, "listener");
        listeners.add(listener);
        tell(listener, current);
        return () -> listeners.remove(listener);
    }

    /** How many calls of listeners ended in an exception. */
    public long failedListeners() {
        return failedListeners.get();
    }

    @Override
    public void close() {
        listeners.clear();
    }

    private void tell(Consumer<RuleSet> listener, RuleSet rules) {
        try {
            listener.accept(rules);
        } catch (Throwable failure) {
            failedListeners.incrementAndGet();
        }
    }
}
