package io.sluice.demo.shop;

import java.util.ArrayList;
import java.util.List;

/** One process that took part in serving a request: the service it plays and the version it runs. */
record Hop(String service, String version) {

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
