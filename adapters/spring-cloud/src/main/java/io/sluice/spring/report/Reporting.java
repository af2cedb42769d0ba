package io.sluice.spring.report;

import io.sluice.core.observation.ObservationRecorder;
import io.sluice.core.observation.ServedRequests;
import io.sluice.core.observation.Vantage;
import io.sluice.core.rule.RuleSource;
import io.sluice.spring.InstanceName;
import io.sluice.spring.SluiceSettings;
import io.sluice.wire.remote.ObservationReporter;
import io.sluice.wire.remote.WorkloadReporter;
import java.net.URI;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;

/**
 * Reports to the server, if there is one. Begins when the application has started, since only then its port is known,
 * and ends with its beans, after the last request was served.
 */
final class Reporting implements ApplicationListener<ApplicationEvent>, AutoCloseable {
    private final SluiceSettings settings;
    private final InstanceName instance;
    private final RuleSource rules;
    private final ObservationRecorder recorder;
    private final ServedRequests served;
    private final Presence presence;
    private @Nullable ObservationReporter observations;
    private @Nullable WorkloadReporter workload;

    Reporting(
            SluiceSettings settings,
            InstanceName instance,
            RuleSource rules,
            ObservationRecorder recorder,
            ServedRequests served,
            Presence presence) {
        this.settings = settings;
        this.instance = instance;
        this.rules = rules;
        this.recorder = recorder;
        this.served = served;
        this.presence = presence;
    }

    @Override
    public synchronized void onApplicationEvent(ApplicationEvent event) {
        URI server = settings.server();
        if (event instanceof ApplicationStartedEvent started && server != null && workload == null) {
            observations = observationsTo(server);
            workload = workloadTo(server, started.getApplicationContext());
            presence.onChange(workload::reportSoon);
        } else if (event instanceof AvailabilityChangeEvent && workload != null) {
            workload.reportSoon();
        }
    }

    private ObservationReporter observationsTo(URI server) {
        ObservationReporter.Builder reports = ObservationReporter.builder(server, recorder, instance.current());
        if (!settings.token().isEmpty()) {
            reports.token(settings.token());
        }
        return reports.start();
    }

    private WorkloadReporter workloadTo(URI server, ApplicationContext application) {
        WorkloadReporter.Builder reports = WorkloadReporter.builder(
                        server, rules, served, settings.service(), instance.current())
                .version(settings.version())
                // A gateway stands on no side.
                .color(recorder.vantage() instanceof Vantage.Instance standing ? standing.color() : null)
                .registered(presence::isRegistered)
                .ready(readinessIn(application));
        if (!settings.token().isEmpty()) {
            reports.token(settings.token());
        }
        return reports.start();
    }

    private static BooleanSupplier readinessIn(ApplicationContext application) {
        ApplicationAvailability availability =
                application.getBeanProvider(ApplicationAvailability.class).getIfAvailable();
        return availability == null
                ? () -> true
                : () -> availability.getReadinessState() == ReadinessState.ACCEPTING_TRAFFIC;
    }

    @Override
    public synchronized void close() {
        if (workload != null) {
            workload.close();
        }
        if (observations != null) {
            observations.close();
        }
    }
}
