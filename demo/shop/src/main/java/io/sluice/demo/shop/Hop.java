package io.sluice.demo.shop;

import java.util.ArrayList;
import java.util.List;

/**
 * One process that took part in serving a request.
 *
 * @param service the service it plays
 * @param version the version it runs
 * @param color the side of its channel that it stands on; empty for none
 */
record Hop(String service, String version, String color) {

    /** This hop first, then those of its callees in the order of the calls. */
    @SafeVarargs
    final List<Hop> followedBy(List<Hop>... callees) {
        var trace = new ArrayList<Hop>();
        trace.add(this);
        for (var callee : callees) {
            trace.addAll(callee);
        }
        return List.copyOf(trace);
    }
}
