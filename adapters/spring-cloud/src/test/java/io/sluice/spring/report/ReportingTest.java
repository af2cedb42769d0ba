package io.sluice.spring.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.core.decision.Lane;
import io.sluice.core.observation.ObservationKey;
import io.sluice.core.observation.ObservationSink;
import io.sluice.core.observation.ServedRequests;
import io.sluice.core.routing.Rung;
import io.sluice.core.rule.RuleSource;
import io.sluice.core.rule.RuleState;
import io.sluice.core.tag.Color;
import io.sluice.spring.SluiceAutoConfiguration;
import io.sluice.spring.TestRules;
import io.sluice.spring.report.SluiceMeters.Claim;
import io.sluice.testing.Requirement;
import io.sluice.wire.WorkloadReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.availability.ApplicationAvailabilityAutoConfiguration;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;

class ReportingTest {
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(SluiceAutoConfiguration.class, SluiceReportAutoConfiguration.class))
            .withPropertyValues("spring.application.name=order", "sluice.version=v2");

    @TempDir
    private Path lastGood;

    @ImportAutoConfiguration({
        ApplicationAvailabilityAutoConfiguration.class,
        SluiceAutoConfiguration.class,
        SluiceReportAutoConfiguration.class
    })
    static class Order {}

    @Test
    void theServerGivesTheRulesAndHearsWhatBecameOfThem() throws IOException {
        try (FakeServer server = FakeServer.open();
                ConfigurableApplicationContext order = startAt(server.address())) {
            assertThat(order.getBean(RuleSource.class).current()).isEqualTo(TestRules.live(50));

            order.getBean(ObservationSink.class).begin(TestRules.canaryTag("7")).end(1_000_000, true);

            await().untilAsserted(() -> assertThat(server.entries()).anySatisfy(entry -> {
                assertThat(entry.key()).isEqualTo(new ObservationKey(TestRules.RELEASE, 1, Lane.CANARY));
                assertThat(entry.tally().requests().failed()).isEqualTo(1);
            }));
            assertThat(server.batches()).allSatisfy(batch -> {
                assertThat(batch.service()).isEqualTo("order");
                assertThat(batch.version()).isEqualTo("v2");
                assertThat(batch.instance()).startsWith("order@").contains(":pid-");
            });
        }
    }

    @Test
    void theServerHearsHowTheProcessStandsAndThatItLeaves() throws IOException {
        try (FakeServer server = FakeServer.open()) {
            try (ConfigurableApplicationContext order = startAt(server.address(), "sluice.color=green")) {
                await().untilAsserted(() -> assertThat(server.workloads())
                        .last()
                        .satisfies(now -> assertThat(now.ready()).isTrue()));
                order.getBean(ServedRequests.class).begin();
                AvailabilityChangeEvent.publish(order, ReadinessState.REFUSING_TRAFFIC);
                await().untilAsserted(() -> assertThat(server.workloads())
                        .last()
                        .satisfies(now -> assertThat(now.ready()).isFalse()));
            }

            WorkloadReport last = server.workloads().get(server.workloads().size() - 1);
            assertThat(last.leaving()).isTrue();
            assertThat(last.requests()).isEqualTo(1);
            assertThat(last.underWay()).isEqualTo(1);
            assertThat(server.workloads()).allSatisfy(report -> {
                assertThat(report.service()).isEqualTo("order");
                assertThat(report.version()).isEqualTo("v2");
                assertThat(report.color()).isEqualTo(Color.GREEN);
                assertThat(report.registered()).isTrue();
                assertThat(report.revision()).isEqualTo(1);
            });
            await().untilAsserted(() -> assertThat(server.batches()).isNotEmpty());
            assertThat(server.workloads())
                    .extracting(WorkloadReport::instance)
                    .containsOnly(server.batches().get(0).instance());
        }
    }

    @Test
    @Requirement("F4")
    void withoutTheServerAnApplicationStartsStableAndHealthy() throws IOException {
        String nowhere;
        try (FakeServer gone = FakeServer.open()) {
            nowhere = gone.address();
        }

        try (ConfigurableApplicationContext order = startAt(nowhere)) {
            assertThat(order.getBean(RuleSource.class).state()).isEqualTo(RuleState.NO_RULES);
            Health health = order.getBean("sluiceHealthIndicator", HealthIndicator.class)
                    .health();
            assertThat(health.getStatus()).isEqualTo(Status.UP);
            assertThat(health.getDetails())
                    .containsEntry("state", RuleState.NO_RULES)
                    .containsEntry("revision", 0L);
        }
    }

    @Test
    void metersTellLaneOutcomeRungAndClaim() {
        application
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withBean(RuleSource.class, () -> TestRules.holding(TestRules.live(0)))
                .run(context -> {
                    MeterRegistry registry = context.getBean(MeterRegistry.class);
                    SluiceMeters meters = context.getBean(SluiceMeters.class);

                    context.getBean(ObservationSink.class)
                            .begin(TestRules.stableTag("7"))
                            .end(2_000_000, true);
                    meters.routed("inventory", Rung.FALLBACK_STABLE);
                    meters.ignored(Claim.TAG_CONFLICT);

                    assertThat(registry.get("sluice.requests")
                                    .tags("service", "order", "lane", "canary", "outcome", "failed")
                                    .timer()
                                    .totalTime(TimeUnit.MILLISECONDS))
                            .isEqualTo(2);
                    assertThat(registry.get("sluice.routing")
                                    .tags("service", "inventory", "rung", "fallback_stable")
                                    .counter()
                                    .count())
                            .isEqualTo(1);
                    assertThat(registry.get("sluice.claims.ignored")
                                    .tags("reason", "tag_conflict")
                                    .counter()
                                    .count())
                            .isEqualTo(1);
                });
    }

    @Test
    void anApplicationWithoutMicrometerAndHealthRuns() {
        application
                .withClassLoader(new FilteredClassLoader("io.micrometer", "org.springframework.boot.health"))
                .run(context -> {
                    assertThat(context).hasNotFailed().hasSingleBean(SluiceMeters.class);
                    assertThat(context).doesNotHaveBean("sluiceHealthIndicator");
                });
    }

    private ConfigurableApplicationContext startAt(String server, String... properties) {
        List<String> settings = new ArrayList<>(List.of(properties));
        settings.addAll(List.of(
                "spring.application.name=order",
                "sluice.version=v2",
                "sluice.server=" + server,
                "sluice.last-good=" + lastGood));
        return new SpringApplicationBuilder(Order.class)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .properties(settings.toArray(String[]::new))
                .run();
    }
}
