package io.sluice.core.propagation;

import io.sluice.core.tag.TrafficTag;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A storage for tests that finds leaks: scopes that stay open, are closed twice, out of order or on another thread.
 *
 * <pre>{@code
 * try (Scope strict = TagContext.use(storage)) { ... }
 * storage.assertNoLeaks();
 * }</pre>
 */
public final class StrictTagStorage implements TagStorage {
    private final Map<Thread, Deque<Opened>> open = new ConcurrentHashMap<>();

    @Override
    public TrafficTag current() {
        Deque<Opened> mine = open.get(Thread.currentThread());
        return mine == null || mine.isEmpty() ? TrafficTag.empty() : mine.getLast().tag;
    }

    @Override
    public Scope attach(TrafficTag tag) {
        Opened opened = new Opened(tag);
        open.computeIfAbsent(Thread.currentThread(), thread -> new ArrayDeque<>())
                .addLast(opened);
        return () -> close(opened);
    }

    /**
     * Fails a test that left a scope open.
     *
     * @throws IllegalStateException with the place that opened the first scope that was never closed
     */
    public void assertNoLeaks() {
        open.forEach((thread, scopes) -> {
            if (!scopes.isEmpty()) {
                throw new IllegalStateException("a scope is still open on " + thread.getName(), scopes.getLast().where);
            }
        });
    }

    private void close(Opened opened) {
        Deque<Opened> mine = open.get(Thread.currentThread());
        if (mine == null || mine.isEmpty() || mine.getLast() != opened) {
            throw new IllegalStateException(
                    "a scope was closed twice, out of order or on another thread", opened.where);
        }
        mine.removeLast();
    }

    private static final class Opened {
        private final TrafficTag tag;
        private final Exception where = new Exception("opened here");

        private Opened(TrafficTag tag) {
            this.tag = tag;
        }
    }
}
