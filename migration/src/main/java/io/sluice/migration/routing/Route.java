package io.sluice.migration.routing;

import io.sluice.core.decision.KeyBucket;
import io.sluice.migration.owner.Owned;
import io.sluice.migration.plan.Plan;
import io.sluice.migration.plan.Side;

/**
 * Where this process would try an operation first, for people.
 *
 * @param key the key
 * @param plan the plan as this process knows it
 * @param wanted where the plan wants the key
 * @param first where the operation is tried first: there, unless a fence has said otherwise since
 */
public record Route(String key, Plan plan, Side wanted, Side first) {
    /** One line that says which rule wants the key where, and who owns it. */
    public String explain(Owned owned) {
        String text = "key " + key + " (bucket " + KeyBucket.of(key) + "): wanted at " + wanted.label() + " by plan "
                + plan.revision() + " of " + plan.migration() + " (" + rule() + "), owned by "
                + owned.side().label();
        text += owned.epoch() == 0 ? ", never moved" : " since plan " + owned.planRevision();
        Side to = owned.movingTo();
        if (to != null) {
            return text + ", being moved to " + to.label();
        }
        if (owned.side() == wanted) {
            return text;
        }
        boolean isLater = owned.planRevision() > plan.revision();
        boolean isHandedBack = plan.isHandedBack(owned.side(), owned.epoch());
        return text
                + (isLater
                        ? "; this process does not know that plan"
                        : isHandedBack ? "; handed back until the next plan" : "; to be moved");
    }

    private String rule() {
        if (plan.alsoNew().contains(key)) {
            return "alsoNew names it";
        }
        return "newPercent " + plan.newPercent();
    }
}
