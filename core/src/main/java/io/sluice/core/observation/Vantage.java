package io.sluice.core.observation;

import io.sluice.core.decision.Lane;
import io.sluice.core.rule.Watched;
import io.sluice.core.tag.Color;
import io.sluice.core.tag.TrafficTag;
import org.jspecify.annotations.Nullable;

/** From where requests are observed, which decides what lane they are counted on. */
public sealed interface Vantage {
    /** The name under which it reports. */
    String service();

    /** Whether it has anything to say about a release. */
    boolean sees(Watched rule);

    Lane laneOf(Watched rule, TrafficTag tag);

    /**
     * Whether requests without a customer were placed by chance here. An edge places each by its own id; a service also
     * gets calls that no edge has seen, all of them on stable, and their tag is as empty.
     */
    boolean placesByRequest();

    /** An edge gateway: counts a request where its tag says it belongs, and sees every release of which tags tell that. */
    record Edge(String service) implements Vantage {
        @Override
        public boolean sees(Watched rule) {
            return rule.isToldByTags();
        }

        @Override
        public Lane laneOf(Watched rule, TrafficTag tag) {
            return rule.laneOf(tag);
        }

        @Override
        public boolean placesByRequest() {
            return true;
        }
    }

    /**
     * An instance of a service: counts its requests where it stands itself, whatever their tags say.
     *
     * @param color the side of its channel that it stands on; null when it stands on none
     */
    record Instance(
            String service, String version, @Nullable Color color) implements Vantage {
        /** One that stands on no side. */
        public Instance(String service, String version) {
            this(service, version, null);
        }

        @Override
        public boolean sees(Watched rule) {
            return rule.covers(service);
        }

        @Override
        public Lane laneOf(Watched rule, TrafficTag tag) {
            return rule.laneOfInstance(version, color);
        }

        @Override
        public boolean placesByRequest() {
            return false;
        }
    }
}
