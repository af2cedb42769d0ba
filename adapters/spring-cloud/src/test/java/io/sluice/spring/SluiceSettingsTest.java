package io.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.problem.RefusedException;
import io.sluice.core.rule.InMemoryRuleSource;
import io.sluice.core.rule.RuleSource;
import io.sluice.core.tag.Color;
import io.sluice.core.tag.TrafficTag;
import io.sluice.testing.Requirement;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class SluiceSettingsTest {
    private final ApplicationContextRunner application =
            new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(SluiceAutoConfiguration.class));

    @Test
    void everyProblemIsToldAtOnce() {
        application
                .withPropertyValues(
                        "sluice.server=ftp://away",
                        "sluice.version=v 2",
                        "sluice.color=red",
                        "sluice.health-checks=/healthz,ready",
                        "sluice.trusted-upstreams=10.0.0.0/8,everybody,10.0.0.0/40",
                        "sluice.identity.customer=header:X-User-Id,body:uid",
                        "sluice.identity.channel=channel",
                        "sluice.identity.request=query:id")
                .run(context -> {
                    RefusedException refused = refusalIn(context.getStartupFailure());

                    assertThat(refused.problems())
                            .extracting(Object::toString)
                            .containsExactly(
                                    "spring.application.name was empty, but must match [A-Za-z0-9][A-Za-z0-9._-]{0,127}",
                                    "sluice.version was v 2, but must match [A-Za-z0-9][A-Za-z0-9._-]{0,63}",
                                    "sluice.color was red, but must be blue or green",
                                    "sluice.health-checks[1] was ready, but must be a path like /healthz, without wildcards; what is below it is meant too",
                                    "sluice.server was ftp://away, but must be an address like http://127.0.0.1:7070",
                                    "sluice.trusted-upstreams[1] was everybody, but must be an IP address or a range like 10.0.0.0/8",
                                    "sluice.trusted-upstreams[2] was 10.0.0.0/40, but must be an IP address or a range like 10.0.0.0/8",
                                    "sluice.identity.customer[1] was body:uid, but must be header:NAME, query:NAME or cookie:NAME",
                                    "sluice.identity.channel was channel, but must be header:NAME, query:NAME or cookie:NAME",
                                    "sluice.identity.request was query:id, but must be header:NAME, since it is sent on");
                });
    }

    @Test
    void theUserReadsTheProblemsAndNoStackTrace() {
        RefusedException refused = new RefusedException("sluice.server", "away", "must be an address");

        FailureAnalysis analysis =
                new RefusedFailureAnalyzer().analyze(new IllegalStateException("bean failed", refused));

        assertThat(analysis.getDescription()).contains("    sluice.server was away, but must be an address");
    }

    @Test
    void withoutSettingsTheInstanceIsStableAndWithoutRules() {
        application.withPropertyValues("spring.application.name=order").run(context -> {
            SluiceSettings settings = context.getBean(SluiceSettings.class);

            assertThat(settings.version()).isEqualTo(TrafficTag.STABLE_VERSION);
            assertThat(settings.color()).isNull();
            assertThat(settings.deregister()).isTrue();
            assertThat(settings.server()).isNull();
            assertThat(settings.trustedUpstreams()).isNull();
            assertThat(settings.lastGood().endsWith(Path.of("last-good", "order")))
                    .isTrue();
            assertThat(context).getBean(RuleSource.class).isInstanceOf(InMemoryRuleSource.class);
        });
    }

    @Test
    void settingsAreReadFromTheDeployment() {
        RuleSource own = new InMemoryRuleSource();
        application
                .withBean(RuleSource.class, () -> own)
                .withPropertyValues(
                        "spring.application.name=order",
                        "sluice.server=https://sluice.internal:7070",
                        "sluice.version=v2.1.0",
                        "sluice.color=blue",
                        "sluice.deregister=false",
                        "sluice.last-good=/var/lib/sluice",
                        "sluice.trusted-upstreams=10.1.0.0/16")
                .run(context -> {
                    SluiceSettings settings = context.getBean(SluiceSettings.class);

                    assertThat(settings.server()).isEqualTo(URI.create("https://sluice.internal:7070"));
                    assertThat(settings.version()).isEqualTo("v2.1.0");
                    assertThat(settings.color()).isEqualTo(Color.BLUE);
                    assertThat(settings.deregister()).isFalse();
                    assertThat(settings.lastGood()).isEqualTo(Path.of("/var/lib/sluice"));
                    TrustedPeers trusted = settings.trustedUpstreams(TrustedPeers.nobody());
                    assertThat(trusted.contains(InetAddress.getByName("10.1.2.3")))
                            .isTrue();
                    assertThat(trusted.contains(InetAddress.getByName("127.0.0.1")))
                            .isFalse();
                    assertThat(context.getBean(RuleSource.class)).isSameAs(own);
                });
    }

    @Test
    @Requirement("E2")
    void anEmptyListOfUpstreamsTrustsNobody() {
        application
                .withPropertyValues("spring.application.name=order", "sluice.trusted-upstreams=")
                .run(context -> {
                    TrustedPeers trusted =
                            context.getBean(SluiceSettings.class).trustedUpstreams(TrustedPeers.privateRanges());

                    assertThat(trusted.contains(InetAddress.getByName("127.0.0.1")))
                            .isFalse();
                });
    }

    private static RefusedException refusalIn(Throwable failure) {
        Throwable cause = failure;
        while (!(cause instanceof RefusedException refused)) {
            cause = cause.getCause();
        }
        return refused;
    }
}
