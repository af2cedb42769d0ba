package io.sluice.wire.remote;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Growing pauses between attempts, the upper half of each left to chance so that processes do not move in step. Used by one thread. */
public final class Backoff {
    private final Duration first;
    private final Duration longest;
    private Duration next;

    public Backoff(Duration first, Duration longest) {
        this.first = first;
        this.longest = longest;
        this.next = first;
    }

    /** The pause before the next attempt. */
    public Duration next() {
        Duration pause = jittered(next);
        Duration doubled = next.multipliedBy(2);
        next = doubled.compareTo(longest) > 0 ? longest : doubled;
        return pause;
    }

    public void reset() {
        next = first;
    }

    /** Anything from half of it to all of it. */
    public static Duration jittered(Duration most) {
        long nanos = most.toNanos();
        return Duration.ofNanos(nanos / 2 + ThreadLocalRandom.current().nextLong(nanos - nanos / 2 + 1));
    }
}
