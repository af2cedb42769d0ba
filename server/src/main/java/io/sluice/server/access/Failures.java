package io.sluice.server.access;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Failed attempts by address: from the sixth in a row on, each costs a longer wait. Remembers the last 10,000 addresses.
 *
 * <p>A right token always passes, since it cannot be guessed; otherwise a forgotten console on the operator's own machine
 * could lock out the abort.
 */
final class Failures {
    private static final int FREE = 5;
    private static final int MOST_ADDRESSES = 10_000;
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private final LongSupplier nanoClock;
    private final Map<String, Attempts> byAddress = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Attempts> eldest) {
            return size() > MOST_ADDRESSES;
        }
    };

    Failures(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /** Notes a failure. @return how long the address has to wait; zero for the first few */
    synchronized Duration failed(String address) {
        long now = nanoClock.getAsLong();
        Attempts known = byAddress.getOrDefault(address, new Attempts(0, now));
        if (known.until - now > 0) {
            return Duration.ofNanos(known.until - now);
        }
        int count = known.count + 1;
        Duration wait = waitAfter(count);
        byAddress.put(address, new Attempts(count, now + wait.toNanos()));
        return wait;
    }

    synchronized void succeeded(String address) {
        byAddress.remove(address);
    }

    private static Duration waitAfter(int count) {
        if (count <= FREE) {
            return Duration.ZERO;
        }
        Duration wait = Duration.ofSeconds(1L << Math.min(count - FREE - 1, 6));
        return wait.compareTo(LONGEST) > 0 ? LONGEST : wait;
    }

    /** @param until when the next attempt is heard */
    private record Attempts(int count, long until) {}
}
