package io.sluice.spring;

import io.sluice.center.CenterLogin;
import io.sluice.center.CenterName;
import io.sluice.center.CenterRuleSource;
import io.sluice.core.problem.Problems;
import io.sluice.core.rule.RuleSource;

/** Rules through a config centre. Only touched where that module is on the class path. */
final class CenterRules {
    private CenterRules() {}

    /** Notes what is wrong with a centre's name, and with the user for it. */
    static void check(String from, String fromProperty, String user, String userProperty, Problems problems) {
        CenterName name = problems.part(fromProperty, () -> CenterName.parse(from));
        if (name != null) {
            problems.require(
                    user.isEmpty() || name.knowsUsers(),
                    userProperty,
                    user,
                    "must not be set: a " + name.kind() + " knows no users");
        }
    }

    /** Starts to follow it; waits for its first answer for two seconds at most. */
    static RuleSource follow(FollowedCenter center, SluiceSettings settings) {
        CenterLogin login = center.user().isEmpty() ? null : new CenterLogin(center.user(), center.password());
        CenterRuleSource.Builder source = CenterRuleSource.builder(
                        CenterName.parse(center.name()).open(login))
                .lastGood(settings.lastGood(), settings.service());
        if (center.verifier() != null) {
            source.verifier(center.verifier());
        }
        return source.start();
    }
}
