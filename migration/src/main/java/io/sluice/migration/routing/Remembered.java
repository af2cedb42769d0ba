package io.sluice.migration.routing;

import io.sluice.migration.owner.Owned;
import io.sluice.migration.plan.Plan;
import io.sluice.migration.plan.Side;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The keys of which a fence has said otherwise than the plan: not moved yet, handed back, or moved under a plan that this
 * process does not know. Only a guess: what is forgotten or wrong costs one refused try.
 *
 * <p>Bounded by its form: one place for each hash, and of two keys with the same place the later one stays. So it needs no
 * lock, no count and no order of eviction, and a look-up allocates nothing. Safe for use by many threads.
 */
final class Remembered {
    /** Half a megabyte; a third of a million keys half way through a step of 10 percent still finds most of its exceptions. */
    static final int PLACES = 1 << 16;

    private final AtomicReferenceArray<@Nullable Owned> places = new AtomicReferenceArray<>(PLACES);

    /** What is known of a key that the plan does not say itself. */
    @Nullable
    Owned of(String key, Side wanted, Plan plan) {
        int place = placeOf(key);
        Owned owned = places.get(place);
        if (owned == null || !owned.key().equals(key)) {
            return null;
        }
        if (isSaidBy(plan, wanted, owned)) {
            places.compareAndSet(place, owned, null);
            return null;
        }
        return owned;
    }

    /** Takes note of what a fence has said; of a key that is being moved it would be wrong in a moment. */
    void note(Owned owned, Plan plan) {
        if (owned.isFrozen()) {
            return;
        }
        int place = placeOf(owned.key());
        if (!isSaidBy(plan, plan.wanted(owned.key()), owned)) {
            places.set(place, owned);
            return;
        }
        Owned outdated = places.get(place);
        if (outdated != null && outdated.key().equals(owned.key())) {
            places.compareAndSet(place, outdated, null);
        }
    }

    /** A key that moved twice under one plan has a later epoch than the plan's, and a grant needs that one. */
    private static boolean isSaidBy(Plan plan, Side wanted, Owned owned) {
        return owned.side() == wanted && owned.epoch() <= plan.epoch();
    }

    private static int placeOf(String key) {
        int hash = key.hashCode();
        return (hash ^ (hash >>> 16)) & (PLACES - 1);
    }
}
