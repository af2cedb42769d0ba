package io.sluice.spring;

import org.springframework.core.env.Environment;

/**
 * The name under which this instance reports, like {@code order@127.0.0.1:8081}, and by which rules mean it. The port is
 * known once its server listens; without one, the process's number stands in for it.
 */
public final class InstanceName {
    private final String service;
    private final Environment environment;

    InstanceName(String service, Environment environment) {
        this.service = service;
        this.environment = environment;
    }

    /** The name as it is known by now. */
    public String current() {
        String known = environment.getProperty("spring.cloud.client.ip-address", "localhost");
        String host = environment.getProperty("server.address", known);
        String port = environment.getProperty("local.server.port");
        return at(service, host, port == null ? "pid-" + ProcessHandle.current().pid() : port);
    }

    /** The name of an instance of a service, by where it listens. */
    public static String at(String service, String host, String port) {
        return service + "@" + host + ":" + port;
    }
}
