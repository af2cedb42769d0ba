package io.sluice.cli.demo;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** What one reporter saw on one lane in the present step. */
record LaneTotal(String service, String lane, long count, long failed, long p99Millis) {
    static List<LaneTotal> listFrom(JsonNode lanes) {
        List<LaneTotal> totals = new ArrayList<>();
        for (JsonNode total : lanes.path("totals")) {
            totals.add(new LaneTotal(
                    total.path("service").asString(""),
                    total.path("lane").asString(""),
                    total.path("count").asLong(0),
                    total.path("failed").asLong(0),
                    total.path("p99Millis").asLong(0)));
        }
        return List.copyOf(totals);
    }
}
