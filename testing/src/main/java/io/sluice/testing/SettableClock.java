package io.sluice.testing;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that stands still until a test moves it. Safe for use by several threads. */
public final class SettableClock implements InstantSource {
    private final AtomicReference<Instant> now;

    private SettableClock(Instant start) {
        this.now = new AtomicReference<>(start);
    }

    /** A clock that shows 2026-10-01T00:00:00Z. */
    public static SettableClock create() {
        return new SettableClock(Instant.parse("2026-10-01T00:00:00Z"));
    }

    @Override
    public Instant instant() {
        return now.get();
    }

    /** Moves the clock on; a negative duration moves it back, as a corrected machine clock would. */
    public void advance(Duration by) {
        now.updateAndGet(instant -> instant.plus(by));
    }
}
