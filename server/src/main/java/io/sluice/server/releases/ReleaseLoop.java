package io.sluice.server.releases;

import io.sluice.core.channel.Workloads;
import io.sluice.core.release.Evidence;
import io.sluice.core.release.MetricSource;
import io.sluice.core.release.Orchestrator;
import io.sluice.core.release.RulePublisher;
import io.sluice.server.leadership.Leadership;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Lets the orchestrator look, again and again. */
@Component
@Lazy(false)
class ReleaseLoop {
    private final Orchestrator orchestrator;
    private final RulePublisher publisher;
    private final Leadership leadership;

    ReleaseLoop(Orchestrator orchestrator, RulePublisher publisher, Leadership leadership) {
        this.orchestrator = orchestrator;
        this.publisher = publisher;
        this.leadership = leadership;
    }

    /**
     * A look that fails is logged by the scheduler; the next one starts from what is saved. Who does not lead publishes all
     * the same: the processes that are connected here must know what another server saved.
     */
    @Scheduled(fixedDelayString = "${sluice.look-every}")
    void look() {
        if (leadership.isLeader()) {
            leadership.lead(orchestrator::look);
        } else {
            publisher.publish();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Ports {
        @Bean
        Orchestrator orchestrator(
                JdbcReleaseStore store,
                Evidence evidence,
                MetricSource metrics,
                Workloads workloads,
                RulePublisher publisher,
                InstantSource clock) {
            return new Orchestrator(store, evidence, metrics, workloads::refusing, publisher, clock, System::nanoTime);
        }
    }
}
