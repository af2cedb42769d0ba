package io.sluice.core.rule;

import io.sluice.core.problem.Problem;
import java.util.List;
import java.util.function.Consumer;

/**
 * Where a process gets its rules. After start-up {@link #current()} only reads memory: it never throws, blocks or
 * returns null, whatever has become of the server.
 */
public interface RuleSource extends AutoCloseable {
    /** The newest rule set known here; {@link RuleSet#empty()} before any was. */
    RuleSet current();

    /** How far {@link #current()} can be trusted to be the newest there is. */
    RuleState state();

    /**
     * Calls the listener with the current rule set, then with each newer one, in order and one at a time. A listener
     * that throws, whatever it throws, is counted and called again next time; it never holds up another listener.
     *
     * <p>For the parts that follow the rules themselves: it is called in the thread that brings the rules, before these
     * count as taken, so that nobody decides by rules that counters or documents do not know yet. Therefore it must
     * return at once, and wait for nothing. Whoever may take longer listens through {@link TrafficRules}.
     */
    Subscription subscribe(Consumer<RuleSet> listener);

    /**
     * The same rules, each only once this process would also start with it: what it may tell others that it has applied. Rules
     * hold here before that, so that no disk delays them; where they could not be kept, they count as settled all the same.
     * Its state says nothing. This source itself where nothing is kept.
     */
    default RuleSource settled() {
        return this;
    }

    /** Why the newest rules that came could not be used, so that older ones still hold; empty when they could. */
    default List<Problem> refusal() {
        return List.of();
    }

    @Override
    void close();

    /** Ends the calls of one listener. */
    interface Subscription extends AutoCloseable {
        @Override
        void close();
    }
}
