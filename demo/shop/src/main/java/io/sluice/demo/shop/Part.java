package io.sluice.demo.shop;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The part one process plays in the shop: which service in which version, and how it misbehaves. */
record Part(Hop self, Fault fault) {

    static final String SERVICE = "SPRING_APPLICATION_NAME";
    static final String VERSION = "SLUICE_VERSION";
    static final String COLOR = "SLUICE_COLOR";
    static final String FAULT = "DEMO_FAULT";
    static final String FAULT_IN = "DEMO_FAULT_IN";

    private static final List<String> SERVICES = List.of("order", "inventory", "coupon", "user");

    /** Reads the part from environment variables; throws IllegalArgumentException with every problem, one a line. */
    static Part from(Map<String, String> environment) {
        var problems = new ArrayList<String>();
        var service = environment.getOrDefault(SERVICE, "");
        if (!SERVICES.contains(service)) {
            problems.add("%s was '%s', but must be one of %s".formatted(SERVICE, service, String.join(", ", SERVICES)));
        }
        var version = environment.getOrDefault(VERSION, "");
        var fault = Fault.none();
        var faultIn = environment.getOrDefault(FAULT_IN, version);
        try {
            fault = Fault.parse(environment.getOrDefault(FAULT, ""));
        } catch (IllegalArgumentException e) {
            problems.add(FAULT + " " + e.getMessage());
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("\n", problems));
        }
        var self = new Hop(service, version.isEmpty() ? "stable" : version, environment.getOrDefault(COLOR, ""));
        return new Part(self, version.equals(faultIn) ? fault : Fault.none());
    }
}
