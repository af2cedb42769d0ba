package io.sluice.core.decision;

import io.sluice.core.identity.Customers;
import io.sluice.core.identity.Identity;
import io.sluice.core.problem.Problems;
import java.util.Set;

/**
 * A live split: the allowlist goes to canary at any percentage, everybody else by bucket.
 *
 * <p>Raising the percentage only adds customers to canary, lowering it only removes them, since a customer's bucket
 * never changes. A request with neither a customer nor a request id has no bucket of its own: it is canary at 100 %
 * only.
 */
public record Weighted(Bucketing bucketing, Percent percent, Set<String> allow) implements Split {
    private static final int LARGEST_ALLOWLIST = 10_000;

    /** @throws io.sluice.core.problem.RefusedException for unusable ids on the allowlist, or more than 10,000 */
    public Weighted {
        Problems problems = new Problems();
        problems.require(
                allow.size() <= LARGEST_ALLOWLIST,
                "allow",
                allow.size() + " customers",
                "must have at most " + LARGEST_ALLOWLIST + "; use a rule for more");
        for (String customer : allow) {
            problems.require(
                    Identity.isUsable(customer),
                    "allow",
                    customer.isEmpty() ? "an empty id" : customer,
                    "must be ids of " + Identity.ALLOWED);
        }
        problems.throwIfAny();
        allow = Customers.of(allow);
    }

    @Override
    public Decision decide(Identity who) {
        return decide(who, percent, Decision.WEIGHT);
    }

    @Override
    public Decision decide(Identity who, Percent share, String reason) {
        String key = who.key();
        int bucket = bucketing.bucket(key);
        if (allow.contains(who.customer())) {
            return new Decision(Lane.CANARY, bucket, Decision.ALLOWLIST);
        }
        if (key.isEmpty() && !share.isAllOrNothing()) {
            return new Decision(Lane.STABLE, bucket, Decision.NO_IDENTITY);
        }
        return new Decision(share.covers(bucket) ? Lane.CANARY : Lane.STABLE, bucket, reason);
    }

    @Override
    public int bucket(Identity who) {
        return bucketing.bucket(who.key());
    }

    @Override
    public boolean isAborted() {
        return false;
    }

    @Override
    public Split abort(String reason) {
        return Aborted.of(bucketing, reason);
    }
}
