package io.sluice.core.channel;

import io.sluice.core.tag.Color;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Brings a version to instances. Safe for all threads, never blocks for long: work goes on behind it, and is asked about
 * again and again.
 */
public interface Deployer {
    /**
     * Carries out an order, or tells how far it is. The first call with a key begins; every later one with the same key,
     * after a restart of this process too, only tells, and never begins a second time. Where an order with another key is
     * at work on the same instances, as on one that was aborted, the later one takes its place.
     *
     * @throws RuntimeException when it cannot be asked now; it is asked again
     */
    Progress deploy(Order order);

    /** What a deployer is told. @param key the same however often the order is given */
    record Order(String key, String release, String channel, List<Target> targets) {
        public Order {
            targets = List.copyOf(targets);
        }
    }

    /**
     * What shall be of one side of one service.
     *
     * @param color the side; null in a rolling release
     * @param version what its instances shall run
     * @param instances how many there shall be
     * @param only the names of those that are to be touched; empty for all of the side
     */
    record Target(String service, @Nullable Color color, String version, int instances, List<String> only) {
        public Target {
            only = List.copyOf(only);
        }
    }

    /** How far an order is. */
    sealed interface Progress {
        /** @param note what is going on, for people */
        record Running(String note) implements Progress {}

        /** Finished, as far as the deployer can tell; whether the instances run is seen by their reports. */
        record Done() implements Progress {}

        /** Given up. */
        record Failed(String why) implements Progress {}

        /** Nothing goes on by itself: a human does it and says so with {@code promote}. */
        record WaitsForHuman(String what) implements Progress {}
    }
}
