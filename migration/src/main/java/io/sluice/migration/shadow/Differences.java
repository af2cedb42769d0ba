package io.sluice.migration.shadow;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The newest differences of this process, at most {@value #MOST}; older ones are dropped. Safe for use by many threads. */
public final class Differences {
    /** How many are kept. */
    public static final int MOST = 1_000;

    private final Deque<Difference> newest = new ArrayDeque<>();
    private long found;

    Differences() {}

    /** What is kept, the oldest first. */
    public synchronized List<Difference> kept() {
        return List.copyOf(newest);
    }

    /** Takes out at most so many, the oldest first, for somebody who keeps them from now on. */
    public synchronized List<Difference> drain(int most) {
        List<Difference> taken = new ArrayList<>();
        while (taken.size() < most && !newest.isEmpty()) {
            taken.add(newest.removeFirst());
        }
        return List.copyOf(taken);
    }

    /** How many were found, those that were dropped or taken out included. */
    public synchronized long found() {
        return found;
    }

    /** Keeps it under the next id. */
    synchronized void add(Difference difference) {
        newest.addLast(difference.withId(++found));
        if (newest.size() > MOST) {
            newest.removeFirst();
        }
    }
}
