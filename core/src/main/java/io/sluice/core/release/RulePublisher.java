package io.sluice.core.release;

/**
 * Makes the saved state known to the processes. Level-triggered: it reads what is saved and publishes that, so a call too
 * many changes nothing and a call too few is made up for by the next.
 */
@FunctionalInterface
public interface RulePublisher {
    void publish();
}
