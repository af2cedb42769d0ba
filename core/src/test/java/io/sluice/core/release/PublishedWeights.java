package io.sluice.core.release;

import io.sluice.core.decision.Percent;
import io.sluice.core.rule.ReleaseRule;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.rule.RuleSource;
import java.util.ArrayList;
import java.util.List;

/** The weights of one release that processes got to see, one after another. */
final class PublishedWeights {
    private final String release;
    private final List<Percent> seen = new ArrayList<>();

    private PublishedWeights(String release) {
        this.release = release;
    }

    static PublishedWeights of(String release, RuleSource rules) {
        PublishedWeights weights = new PublishedWeights(release);
        rules.subscribe(weights::note);
        return weights;
    }

    /** Each change, like {@code 1%}, {@code 5%}. */
    List<String> seen() {
        return seen.stream().map(Percent::toString).toList();
    }

    private void note(RuleSet rules) {
        ReleaseRule rule = rules.release(release);
        if (rule != null
                && (seen.isEmpty()
                        || !seen.get(seen.size() - 1).equals(rule.split().percent()))) {
            seen.add(rule.split().percent());
        }
    }
}
