package io.sluice.server.channels;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who gets a multiple of the planned share. What each instance got in the last ten seconds is laid beside what it should
 * have got of all that its service got; the plan is added up second by second, so that a change of weight, which makes
 * the last ten seconds a mixture, is no imbalance. Used by one thread at a time.
 *
 * <p>Few requests are none either: what came must be so much more than what was planned that chance does not explain it,
 * five standard deviations of a Poisson distribution, and at least {@value #LEAST_REQUESTS} requests.
 */
final class Imbalance {
    /** How far back it looks, and for how long in a row it must find the same. */
    static final Duration WINDOW = Duration.ofSeconds(10);

    private static final int LEAST_REQUESTS = 20;
    private static final double SIGMAS = 5;

    private final double limit;
    private final Map<String, Track> tracks = new HashMap<>();

    /** @param limit from which multiple of the planned share on an instance is told of, more than 1 */
    Imbalance(double limit) {
        this.limit = limit;
    }

    /**
     * An instance at one moment.
     *
     * @param planned its share of its service's requests, 0..1; 0 for one that should get none
     * @param requests how many it has begun to serve since its start
     */
    record Load(String service, String instance, double planned, long requests) {}

    /**
     * What an instance got in the last ten seconds.
     *
     * @param share of its service's requests, 0..1; NaN when there were none
     * @param planned what its share should be now
     * @param imbalance the multiple of what was planned, once it was too much for ten seconds in a row; null before
     */
    record Rate(
            double requestsPerSecond,
            double share,
            double planned,
            @Nullable Double imbalance) {}

    /** An imbalance that began, or ended. @param multiple of the planned share; of one that ended, the largest */
    record Change(String instance, String service, boolean began, double multiple) {}

    /**
     * Takes what all instances have counted by now.
     *
     * @return who is told of from now on, and who is not any more
     */
    List<Change> sample(Collection<Load> loads, long nanos) {
        Set<String> present = new HashSet<>();
        Map<String, Long> got = new HashMap<>();
        Map<String, Long> delta = new HashMap<>();
        for (Load load : loads) {
            present.add(load.instance());
            Track track = tracks.computeIfAbsent(load.instance(), any -> new Track(load));
            long more = track.more(load);
            delta.put(load.instance(), more);
            got.merge(load.service(), more, Long::sum);
        }
        List<Change> changes = new ArrayList<>();
        tracks.entrySet().removeIf(entry -> {
            boolean gone = !present.contains(entry.getKey());
            if (gone && entry.getValue().told) {
                changes.add(entry.getValue().ended(entry.getKey()));
            }
            return gone;
        });
        for (Load load : loads) {
            Track track = track(load.instance());
            long all = got.getOrDefault(load.service(), 0L);
            track.add(new Second(nanos, delta.getOrDefault(load.instance(), 0L), all, load.planned() * all));
        }
        for (Load load : loads) {
            Change change = track(load.instance()).judge(load, nanos, limit);
            if (change != null) {
                changes.add(change);
            }
        }
        return changes;
    }

    /** What an instance got; null for one that is not known. */
    @Nullable
    Rate of(String instance) {
        Track track = tracks.get(instance);
        return track == null ? null : track.rate();
    }

    private Track track(String instance) {
        Track track = tracks.get(instance);
        if (track == null) {
            throw new IllegalStateException("sampled a moment ago: " + instance);
        }
        return track;
    }

    /** What came between two samples. @param all what all instances of the service got @param planned of these */
    private record Second(long nanos, long requests, long all, double planned) {}

    private static final class Track {
        private final Deque<Second> seconds = new ArrayDeque<>();
        private final String service;
        private long counted;
        private double planned;
        private long since = Long.MIN_VALUE;
        private boolean told;
        private double largest;

        Track(Load first) {
            // What it got before it was known was under no plan of ours.
            this.service = first.service();
            this.counted = first.requests();
        }

        /** A count that fell is that of a new process at the same place. */
        long more(Load load) {
            long more = load.requests() >= counted ? load.requests() - counted : load.requests();
            counted = load.requests();
            planned = load.planned();
            return more;
        }

        void add(Second second) {
            seconds.addLast(second);
            while (second.nanos - seconds.getFirst().nanos >= WINDOW.toNanos()) {
                seconds.removeFirst();
            }
        }

        double requests() {
            return seconds.stream().mapToLong(Second::requests).sum();
        }

        private double expected() {
            return seconds.stream().mapToDouble(Second::planned).sum();
        }

        private double multiple() {
            return requests() / expected();
        }

        private boolean isTooMuch(double limit) {
            double requests = requests();
            double expected = expected();
            return expected > 0
                    && requests >= LEAST_REQUESTS
                    && requests >= limit * expected
                    && requests - expected >= SIGMAS * Math.sqrt(expected);
        }

        @Nullable
        Change judge(Load load, long nanos, double limit) {
            if (!isTooMuch(limit)) {
                since = Long.MIN_VALUE;
                return told ? ended(load.instance()) : null;
            }
            if (since == Long.MIN_VALUE) {
                since = nanos;
            }
            if (!told && nanos - since < WINDOW.toNanos()) {
                return null;
            }
            largest = Math.max(largest, multiple());
            if (told) {
                return null;
            }
            told = true;
            return new Change(load.instance(), load.service(), true, multiple());
        }

        Change ended(String instance) {
            Change change = new Change(instance, service, false, largest);
            told = false;
            largest = 0;
            return change;
        }

        Rate rate() {
            double all = seconds.stream().mapToLong(Second::all).sum();
            double lasts = WINDOW.toSeconds();
            return new Rate(requests() / lasts, requests() / all, planned, told ? (Double) multiple() : null);
        }
    }
}
