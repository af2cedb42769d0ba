package io.sluice.demo.shop;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;

/** How a process misbehaves on purpose, so that a release of it has something to be aborted for. Thread-safe. */
sealed interface Fault {

    /** How long the next request has to wait. */
    Duration delay();

    /** Whether the next request fails; each call counts as one request. */
    boolean fails();

    static Fault none() {
        return new Slow(Duration.ZERO);
    }

    /** Parses {@code errors=6%}, {@code slow=500ms} or nothing. */
    static Fault parse(String text) {
        if (text.isEmpty()) {
            return none();
        }
        var errors = Errors.FORMAT.matcher(text);
        if (errors.matches()) {
            var fraction = errors.group(2) == null ? "00" : (errors.group(2) + "0").substring(0, 2);
            var basisPoints = Integer.parseInt(errors.group(1)) * 100 + Integer.parseInt(fraction);
            if (basisPoints <= 10_000) {
                return new Errors(basisPoints, new AtomicLong());
            }
        }
        var slow = Slow.FORMAT.matcher(text);
        if (slow.matches()) {
            var amount = Long.parseLong(slow.group(1));
            return new Slow("s".equals(slow.group(2)) ? Duration.ofSeconds(amount) : Duration.ofMillis(amount));
        }
        throw new IllegalArgumentException(
                "was '" + text
                        + "', but must be empty, errors=<0..100, two decimals at most>% (errors=6%) or slow=<duration> (slow=500ms, slow=2s)");
    }

    /** That share of the requests fails, spread as evenly as whole requests allow. */
    record Errors(int basisPoints, AtomicLong requests) implements Fault {

        private static final Pattern FORMAT = Pattern.compile("errors=(\\d{1,3})(?:\\.(\\d{1,2}))?%");

        @Override
        public Duration delay() {
            return Duration.ZERO;
        }

        @Override
        public boolean fails() {
            return requests.incrementAndGet() * basisPoints % 10_000 < basisPoints;
        }
    }

    /** Every request waits that long. */
    record Slow(Duration delay) implements Fault {

        private static final Pattern FORMAT = Pattern.compile("slow=(\\d{1,6})(ms|s)");

        @Override
        public boolean fails() {
            return false;
        }
    }
}
