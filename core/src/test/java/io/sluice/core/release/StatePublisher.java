package io.sluice.core.release;

import io.sluice.core.rule.InMemoryRuleSource;
import io.sluice.core.rule.ReleaseRule;
import io.sluice.core.rule.RuleSet;
import java.util.List;
import java.util.Optional;

/**
 * Publishes the saved state in memory. A rule set's revision is the number of saves that led to it, so whoever read the
 * state too early is older and changes nothing.
 */
final class StatePublisher implements RulePublisher {
    private final ReleaseStore store;
    private final InMemoryRuleSource rules;

    StatePublisher(ReleaseStore store, InMemoryRuleSource rules) {
        this.store = store;
        this.rules = rules;
    }

    @Override
    public void publish() {
        List<Release> saved = store.all();
        long revision = saved.stream().mapToLong(Release::revision).sum();
        List<ReleaseRule> live =
                saved.stream().map(Release::rule).flatMap(Optional::stream).toList();
        rules.offer(RuleSet.of(0, revision, live));
    }
}
