package io.sluice.spring.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.center.ConfigCenter;
import io.sluice.center.file.FileCenter;
import io.sluice.center.zookeeper.ZooKeeperCenter;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.rule.RuleSource;
import io.sluice.core.rule.RuleState;
import io.sluice.spring.SluiceAutoConfiguration;
import io.sluice.spring.TestRules;
import io.sluice.testing.Requirement;
import io.sluice.wire.RuleEnvelope;
import io.sluice.wire.RuleSigner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;

/** Applications of the starter that follow their rules in a config centre, named by properties alone. */
@Requirement("D4")
@Timeout(300)
class CenterRulesTest {
    private static final Duration WITHIN = Duration.ofSeconds(30);

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(SluiceAutoConfiguration.class, SluiceReportAutoConfiguration.class))
            .withPropertyValues("spring.application.name=order");

    @TempDir
    private Path home;

    @Test
    void aFileIsFollowed() {
        Path file = home.resolve("rules.json");
        try (ConfigCenter writer = FileCenter.of(file);
                ConfigurableApplicationContext order = start("sluice.rules.from=file=" + file)) {
            RuleSource rules = order.getBean(RuleSource.class);
            assertThat(rules.state()).isEqualTo(RuleState.NO_RULES);
            assertThat(health(order).getDetails()).containsEntry("from", "file=" + file);
            assertThat(health(order).getDetails().get("refused")).asString().contains("absent or empty");

            write(writer, RuleEnvelope.of(TestRules.live(50)));
            await().until(() -> rules.current().equals(TestRules.live(50)));
            write(writer, RuleEnvelope.of(TestRules.aborted()));
            await().until(() -> rules.current().equals(TestRules.aborted()));

            await().untilAsserted(() -> assertThat(health(order).getDetails())
                    .containsEntry("state", RuleState.FRESH)
                    .containsEntry("revision", 3L)
                    .doesNotContainKey("refused"));
            assertThat(health(order).getStatus()).isEqualTo(Status.UP);
        }
    }

    @Test
    @Requirement({"F2", "F4", "F12"})
    void aRealCentreIsFollowedTheServerIsToldAndAStartWithoutBothGoesOn() throws Exception {
        KeyPair keys = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        Path publicKey = home.resolve("public.key");
        Files.writeString(
                publicKey, Base64.getEncoder().encodeToString(keys.getPublic().getEncoded()));
        RuleSigner signer = RuleSigner.of(keys.getPrivate());
        String[] settings;
        try (TestingServer zooKeeper = new TestingServer(true);
                FakeServer server = FakeServer.open()) {
            String address = "127.0.0.1:" + zooKeeper.getPort() + "/sluice/rules";
            settings = new String[] {
                "sluice.rules.from=zookeeper=" + address,
                "sluice.rules.user=order",
                "sluice.rules.password=secret",
                "sluice.rules.public-key=" + publicKey,
                "sluice.server=" + server.address()
            };
            try (ConfigCenter writer = ZooKeeperCenter.of(address, "server", "secret")) {
                write(writer, RuleEnvelope.of(TestRules.everybody()).signed(signer));
                try (ConfigurableApplicationContext order = start(settings)) {
                    RuleSource rules = order.getBean(RuleSource.class);
                    await().until(() -> rules.current().equals(TestRules.everybody()));

                    write(writer, RuleEnvelope.of(RuleSet.of(1, 99, List.of())));
                    await().until(() -> !rules.refusal().isEmpty());
                    assertThat(rules.current()).isEqualTo(TestRules.everybody());
                    write(writer, RuleEnvelope.of(TestRules.aborted()).signed(signer));
                    await().until(() -> rules.current().equals(TestRules.aborted()));

                    await().untilAsserted(() -> assertThat(server.workloads())
                            .last()
                            .satisfies(told -> assertThat(told.revision()).isEqualTo(3)));
                }
            }
        }

        try (ConfigurableApplicationContext order = start(settings)) {
            assertThat(order.getBean(RuleSource.class).state()).isEqualTo(RuleState.LAST_KNOWN_GOOD);
            assertThat(order.getBean(RuleSource.class).current()).isEqualTo(TestRules.aborted());
            assertThat(health(order).getStatus()).isEqualTo(Status.UP);
        }
    }

    @Test
    void everyProblemIsToldAtOnce() {
        application
                .withPropertyValues(
                        "sluice.server=ftp://away",
                        "sluice.rules.from=etcd=127.0.0.1:2379/rules",
                        "sluice.rules.user=me",
                        "sluice.rules.public-key=/no/such/key")
                .run(context -> assertThat(problemsIn(context.getStartupFailure()))
                        .containsExactly(
                                "sluice.server was ftp://away, but must be an address like http://127.0.0.1:7070",
                                "sluice.rules.from was 127.0.0.1:2379/rules, but must be like http://host:2379/path or"
                                        + " https://host:2379/path",
                                // Nothing of etcd is on the class path of these tests.
                                "sluice.rules.from was etcd without its client, but must have io.etcd:jetcd-core on the"
                                        + " class path",
                                "sluice.rules.password was empty, but must come with the other of the two",
                                "sluice.rules.public-key was /no/such/key, unreadable, but must be a file with Ed25519"
                                        + " public keys, as 'openssl pkey -pubout' writes them"));
    }

    @Test
    void whatBelongsToACentreNeedsOne() {
        application
                .withPropertyValues(
                        "sluice.rules.user=me", "sluice.rules.password=secret", "sluice.rules.public-key=key")
                .run(context -> assertThat(problemsIn(context.getStartupFailure()))
                        .containsExactly(
                                "sluice.rules.user was me, but must come with sluice.rules.from",
                                "sluice.rules.password was set, but must come with sluice.rules.from",
                                "sluice.rules.public-key was key, but must come with sluice.rules.from"));
        application
                .withPropertyValues(
                        "sluice.rules.from=file=/rules", "sluice.rules.user=me", "sluice.rules.password=secret")
                .run(context -> assertThat(problemsIn(context.getStartupFailure()))
                        .containsExactly("sluice.rules.user was me, but must not be set: a file knows no users"));
    }

    @Test
    void withoutTheModuleItIsSaidWhatToAdd() {
        application
                .withClassLoader(new FilteredClassLoader("io.sluice.center"))
                .withPropertyValues("sluice.rules.from=etcd=http://me:secret@127.0.0.1/rules")
                .run(context -> assertThat(problemsIn(context.getStartupFailure()))
                        .containsExactly("sluice.rules.from was etcd=..., but must have"
                                + " io.sluice:sluice-config-centers on the class path"));
    }

    @Test
    void aSourceOfTheApplicationsOwnTakesItsPlace() {
        RuleSource own = TestRules.holding(TestRules.live(50));
        application
                .withBean(RuleSource.class, () -> own)
                .withPropertyValues("sluice.rules.from=file=" + home.resolve("rules.json"))
                .run(context -> {
                    assertThat(context.getBean(RuleSource.class)).isSameAs(own);
                    assertThat(context.getBean(HealthIndicator.class).health().getDetails())
                            .containsEntry("from", "the application");
                });
    }

    private ConfigurableApplicationContext start(String... properties) {
        List<String> settings = new ArrayList<>(List.of(properties));
        settings.addAll(List.of("spring.application.name=order", "sluice.last-good=" + home.resolve("last-good")));
        return new SpringApplicationBuilder(ReportingTest.Order.class)
                .web(WebApplicationType.NONE)
                .bannerMode(Banner.Mode.OFF)
                .properties(settings.toArray(String[]::new))
                .run();
    }

    private static void write(ConfigCenter writer, RuleEnvelope envelope) {
        writer.write(envelope.write(), WITHIN);
    }

    private static Health health(ConfigurableApplicationContext application) {
        return application
                .getBean("sluiceHealthIndicator", HealthIndicator.class)
                .health();
    }

    private static List<String> problemsIn(Throwable failure) {
        Throwable cause = failure;
        while (!(cause instanceof RefusedException refused)) {
            cause = cause.getCause();
        }
        return refused.problems().stream().map(Object::toString).toList();
    }
}
