package io.sluice.cli.rules;

import io.sluice.core.decision.BucketHash;
import io.sluice.core.decision.Bucketing;
import io.sluice.core.rule.ReleaseRule;
import io.sluice.core.rule.RuleSet;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds releases that do not pick their first customers independently: those with one salt, and those whose salts leave
 * plain {@code fnv1a} in states with the same low bits.
 */
final class SaltLint {
    private static final int TOO_MANY_SHARED_BITS = 4;
    private static final int MOST_WARNINGS = 100;

    private SaltLint() {}

    /** At most {@value #MOST_WARNINGS}, since a file of copies would have one for each pair. */
    static List<String> warnings(RuleSet rules) {
        List<String> warnings = new ArrayList<>();
        List<ReleaseRule> releases = rules.releases();
        for (int i = 0; i < releases.size(); i++) {
            for (ReleaseRule other : releases.subList(i + 1, releases.size())) {
                compare(releases.get(i), other, warnings);
                if (warnings.size() == MOST_WARNINGS) {
                    return warnings;
                }
            }
        }
        return warnings;
    }

    private static void compare(ReleaseRule one, ReleaseRule other, List<String> warnings) {
        Bucketing first = one.split().bucketing();
        Bucketing second = other.split().bucketing();
        String both = "releases " + one.id() + " and " + other.id();
        if (first.equals(second)) {
            warnings.add(both + " have the same salt, so they take the same customers first; give each its own");
        } else if (first.hash() == BucketHash.FNV1A
                && second.hash() == BucketHash.FNV1A
                && first.sharedLowBits(second) >= TOO_MANY_SHARED_BITS) {
            warnings.add(both + " have salts that share " + first.sharedLowBits(second)
                    + " low bits under fnv1a, so they do not pick their customers independently; change a salt or use "
                    + BucketHash.FNV1A_MIXED.label());
        }
    }
}
