package io.sluice.spring;

import io.sluice.core.decision.Lane;
import io.sluice.core.routing.Rung;
import io.sluice.spring.report.SluiceMeters;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Meters that a test can read. */
public final class RecordingMeters implements SluiceMeters {
    private final List<Object> events = new CopyOnWriteArrayList<>();

    @Override
    public void requestEnded(Lane lane, long latencyNanos, boolean failed) {
        events.add(lane + (failed ? " failed" : " ok"));
    }

    @Override
    public void routed(String service, Rung rung) {
        events.add(service + " " + rung);
    }

    @Override
    public void crossed() {
        events.add("crossed");
    }

    @Override
    public void ignored(Claim claim) {
        events.add(claim);
    }

    /** Everything that was counted, in order. */
    public List<Object> events() {
        return List.copyOf(events);
    }
}
