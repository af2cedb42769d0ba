package io.sluice.core.propagation;

import io.sluice.core.tag.TrafficTag;

/** Keeps the current tag of a thread. */
public interface TagStorage {
    TrafficTag current();

    Scope attach(TrafficTag tag);

    /** One tag a thread. A scope closed on another thread, or twice, changes nothing. */
    static TagStorage threadLocal() {
        return new ThreadLocalTagStorage();
    }
}
