package io.sluice.core.observation;

import io.sluice.core.decision.Lane;
import io.sluice.core.rule.ReleaseRule;
import io.sluice.core.tag.TrafficTag;

/** From where requests are observed, which decides what lane they are counted on. */
public sealed interface Vantage {
    /** The name under which it reports. */
    String service();

    /** Whether it has anything to say about a release. */
    boolean sees(ReleaseRule rule);

    Lane laneOf(ReleaseRule rule, TrafficTag tag);

    /**
     * Whether requests without a customer were placed by chance here. An edge places each by its own id; a service also
     * gets calls that no edge has seen, all of them on stable, and their tag is as empty.
     */
    boolean placesByRequest();

    /** An edge gateway: sees every release, and counts a request where its tag says it belongs. */
    record Edge(String service) implements Vantage {
        @Override
        public boolean sees(ReleaseRule rule) {
            return true;
        }

        @Override
        public Lane laneOf(ReleaseRule rule, TrafficTag tag) {
            return rule.laneOf(tag);
        }

        @Override
        public boolean placesByRequest() {
            return true;
        }
    }

    /** An instance of a service: counts its requests where its own version stands, whatever their tags say. */
    record Instance(String service, String version) implements Vantage {
        @Override
        public boolean sees(ReleaseRule rule) {
            return rule.covers(service);
        }

        @Override
        public Lane laneOf(ReleaseRule rule, TrafficTag tag) {
            return version.equals(rule.version()) ? Lane.CANARY : Lane.STABLE;
        }

        @Override
        public boolean placesByRequest() {
            return false;
        }
    }
}
