package io.sluice.server.channels;

import io.sluice.core.channel.ChannelOrchestrator;
import io.sluice.core.channel.Deployer;
import io.sluice.core.channel.Verification;
import io.sluice.core.channel.Workloads;
import io.sluice.core.release.Evidence;
import io.sluice.core.release.RulePublisher;
import io.sluice.server.deployers.Deployers;
import io.sluice.server.leadership.Leadership;
import java.time.InstantSource;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Lets the orchestrator of channels look, again and again, where this server leads. */
@Component
@Lazy(false)
class ChannelLoop {
    private final ChannelOrchestrator orchestrator;
    private final Leadership leadership;

    ChannelLoop(ChannelOrchestrator orchestrator, Leadership leadership) {
        this.orchestrator = orchestrator;
        this.leadership = leadership;
    }

    /** A look that fails is logged by the scheduler; the next one starts from what is saved. */
    @Scheduled(fixedDelayString = "${sluice.look-every}")
    void look() {
        leadership.lead(orchestrator::look);
    }

    @Configuration(proxyBeanMethods = false)
    static class Ports {
        @Bean
        ChannelOrchestrator channelOrchestrator(
                JdbcChannelStore store,
                Workloads workloads,
                Deployers deployers,
                Verification verification,
                Evidence evidence,
                RulePublisher publisher,
                InstantSource clock) {
            return new ChannelOrchestrator(
                    store, workloads, evidence, byName(deployers), verification, publisher, clock, System::nanoTime);
        }

        private static Map<String, Deployer> byName(Deployers deployers) {
            return deployers.names().stream()
                    .collect(Collectors.toMap(
                            name -> name, name -> deployers.get(name).orElseThrow()));
        }
    }
}
