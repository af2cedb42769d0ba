package io.sluice.core.propagation;

import io.sluice.core.tag.TrafficTag;
import org.jspecify.annotations.Nullable;

final class ThreadLocalTagStorage implements TagStorage {
    @SuppressWarnings("ThreadLocalUsage") // a storage is made once a process, and tests make theirs apart
    private final ThreadLocal<@Nullable TrafficTag> tags = new ThreadLocal<>();

    @Override
    public TrafficTag current() {
        TrafficTag tag = tags.get();
        return tag == null ? TrafficTag.empty() : tag;
    }

    @Override
    public Scope attach(TrafficTag tag) {
        TrafficTag before = tags.get();
        Thread owner = Thread.currentThread();
        tags.set(tag);
        return new Scope() {
            private boolean closed;

            @Override
            public void close() {
                if (closed || Thread.currentThread() != owner) {
                    return;
                }
                closed = true;
                if (before == null) {
                    tags.remove();
                } else {
                    tags.set(before);
                }
            }
        };
    }
}
