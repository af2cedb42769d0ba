package io.sluice.spring.report;

import io.sluice.core.decision.Lane;
import io.sluice.core.routing.Rung;

/** Counts what the doors did. Called on the request path: never throws, never blocks. */
public interface SluiceMeters {
    /** A request that this process served has ended. */
    void requestEnded(Lane lane, long latencyNanos, boolean failed);

    /** Instances of a service were chosen for a request that goes there. */
    void routed(String service, Rung rung);

    /** A request came with the other color of this instance's channel. */
    void crossed();

    /** What a request claimed of itself was not believed. */
    void ignored(Claim claim);

    /** Counts nothing. */
    static SluiceMeters discarding() {
        return new SluiceMeters() {
            @Override
            public void requestEnded(Lane lane, long latencyNanos, boolean failed) {}

            @Override
            public void routed(String service, Rung rung) {}

            @Override
            public void crossed() {}

            @Override
            public void ignored(Claim claim) {}
        };
    }

    /** A claim that is not believed, by the reason. */
    enum Claim {
        /** It came from a peer that is not trusted. */
        UNTRUSTED,
        /** The tag was sent more than once. */
        TAG_CONFLICT,
        /** The tag was not well-formed. */
        TAG_REFUSED
    }
}
