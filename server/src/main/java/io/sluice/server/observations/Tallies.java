package io.sluice.server.observations;

import io.sluice.core.decision.Lane;
import io.sluice.core.observation.Tally;

/** What one reporter saw on one step, by lane. Immutable. */
public record Tallies(Tally stable, Tally canary) {
    public static final Tallies NOTHING = new Tallies(Tally.empty(), Tally.empty());

    public Tally of(Lane lane) {
        return lane == Lane.CANARY ? canary : stable;
    }

    public Tallies merge(Tallies other) {
        return new Tallies(stable.merge(other.stable), canary.merge(other.canary));
    }

    public long requests() {
        return stable.count() + canary.count();
    }

    Tallies plus(Lane lane, Tally more) {
        return lane == Lane.CANARY ? new Tallies(stable, canary.merge(more)) : new Tallies(stable.merge(more), canary);
    }
}
