package io.sluice.spring.report;

import io.sluice.core.observation.ObservationRecorder;
import io.sluice.spring.SluiceSettings;
import io.sluice.wire.remote.ObservationReporter;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.Environment;

/**
 * Reports to the server, if there is one. Begins when the application has started, since only then its port is known,
 * and ends with its beans, after the last request was served.
 */
final class Reporting implements ApplicationListener<ApplicationStartedEvent>, AutoCloseable {
    private final SluiceSettings settings;
    private final ObservationRecorder recorder;
    private @Nullable ObservationReporter reporter;

    Reporting(SluiceSettings settings, ObservationRecorder recorder) {
        this.settings = settings;
        this.recorder = recorder;
    }

    @Override
    public synchronized void onApplicationEvent(ApplicationStartedEvent started) {
        URI server = settings.server();
        if (server == null || reporter != null) {
            return;
        }
        String instance = instanceIn(started.getApplicationContext().getEnvironment());
        ObservationReporter.Builder reports = ObservationReporter.builder(server, recorder, instance);
        if (!settings.token().isEmpty()) {
            reports.token(settings.token());
        }
        reporter = reports.start();
    }

    @Override
    public synchronized void close() {
        if (reporter != null) {
            reporter.close();
        }
    }

    /** A name for people, like {@code order@127.0.0.1:8081}; the process's number stands in for a port. */
    private String instanceIn(Environment environment) {
        String known = environment.getProperty("spring.cloud.client.ip-address", "localhost");
        String host = environment.getProperty("server.address", known);
        String port = environment.getProperty("local.server.port");
        String place = port == null ? "pid-" + ProcessHandle.current().pid() : port;
        return settings.service() + "@" + host + ":" + place;
    }
}
