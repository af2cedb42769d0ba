package io.sluice.cli.demo.bluegreen;

import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The release of a channel as the demo asks for it.
 *
 * @param hold how long blue stays at each share, as {@code 6s}
 * @param check where the server asks whether blue is well
 */
record ChannelReleaseDocument(String id, String channel, String hold, URI check) {
    private static final List<Integer> BLUE = List.of(1, 5, 25, 50, 100);
    private static final List<Integer> GREEN = List.of(10, 50);

    /** As it is posted to the server. */
    Map<String, Object> document(String deployer) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("strategy", "blue-green");
        document.put("id", id);
        document.put("channel", channel);
        document.put("version", ChannelLineup.NEW);
        document.put("deployer", deployer);
        document.put("check", check.toString());
        // Short, since all of the shop's callers have the adapter and forget old lists of instances within a second.
        document.put("waits", Map.of("grace", "2s", "quiet", "2s", "spread", "4s", "deployWithin", "2m"));
        document.put("plan", Map.of("stages", stages(BLUE)));
        document.put("green", stages(GREEN));
        document.put("guard", Map.of("minSamples", 5, "maxErrorRate", "2%", "maxP99", "5s", "maxSilence", "30s"));
        return document;
    }

    private List<Map<String, Object>> stages(List<Integer> percents) {
        List<Map<String, Object>> stages = new ArrayList<>();
        percents.forEach(percent -> stages.add(Map.of("percent", percent, "hold", hold)));
        return stages;
    }
}
