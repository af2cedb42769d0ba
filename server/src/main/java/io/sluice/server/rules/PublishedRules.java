package io.sluice.server.rules;

import io.sluice.core.release.RulePublisher;
import io.sluice.core.rule.InMemoryRuleSource;
import io.sluice.core.rule.InMemoryRuleSource.Offer;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.rule.RuleSource;
import io.sluice.server.releases.JdbcReleaseStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Publishes the rule set that is saved. A crash between saving and publishing is made up for by the next call, and there
 * is one at every look; so what is published is always on its way to what is saved.
 */
class PublishedRules implements RulePublisher {
    private static final Logger log = LoggerFactory.getLogger(PublishedRules.class);

    private final JdbcReleaseStore store;
    private final InMemoryRuleSource published;

    private PublishedRules(JdbcReleaseStore store, InMemoryRuleSource published) {
        this.store = store;
        this.published = published;
    }

    /** One at a time: who finds published what he has saved must find it with all who follow, too. */
    @Override
    public synchronized void publish() {
        if (store.isCurrent(published.current())) {
            return;
        }
        RuleSet saved = store.ruleSet();
        Offer offer = published.offer(saved);
        if (offer == Offer.OLDER && !store.isCurrent(published.current()) || offer == Offer.CONFLICT) {
            log.error(
                    "rule set {}.{} of the database is {} beside the published {}.{}; was a backup restored without"
                            + " raising the epoch?",
                    saved.epoch(),
                    saved.revision(),
                    offer,
                    published.current().epoch(),
                    published.current().revision());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Ports {
        /** Holds what is saved before anybody can read it: a process must not take a server that starts for an empty one. */
        @Bean
        InMemoryRuleSource ruleSource(JdbcReleaseStore store) {
            InMemoryRuleSource published = new InMemoryRuleSource();
            published.offer(store.ruleSet());
            return published;
        }

        @Bean
        RulePublisher rulePublisher(JdbcReleaseStore store, InMemoryRuleSource published) {
            return new PublishedRules(store, published);
        }

        @Bean
        RuleDocument.Latest ruleDocument(RuleSource published) {
            return new RuleDocument.Latest(published);
        }
    }
}
