package io.sluice.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.observation.Vantage;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.annotation.ImportCandidates;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

/** What the starter adds where only a part of what it knows is on the class path. */
class StarterTest {
    private static final AutoConfigurations STARTER =
            AutoConfigurations.of(ImportCandidates.load(AutoConfiguration.class, null).getCandidates().stream()
                    .filter(name -> name.startsWith("io.sluice."))
                    .map(StarterTest::classOf)
                    .toArray(Class<?>[]::new));

    @Test
    void aProgramWithNothingBehindTheDoorsRuns() {
        new ApplicationContextRunner()
                .withConfiguration(STARTER)
                .withPropertyValues("spring.application.name=batch")
                .withClassLoader(new FilteredClassLoader(
                        "org.springframework.web",
                        "org.springframework.http",
                        "org.springframework.cloud",
                        "org.springframework.boot.restclient",
                        "org.springframework.boot.web",
                        "org.springframework.boot.tomcat",
                        "org.springframework.boot.health",
                        "io.sluice.center",
                        "org.apache",
                        "feign",
                        "jakarta",
                        "reactor",
                        "io.micrometer"))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void aServiceNeedsNoGateway() {
        new WebApplicationContextRunner()
                .withConfiguration(STARTER)
                .withPropertyValues("spring.application.name=order", "sluice.version=v2")
                .withClassLoader(new FilteredClassLoader("org.springframework.cloud", "feign", "reactor"))
                .run(context -> {
                    assertThat(context).hasNotFailed().hasBean("sluiceTagFilter");
                    assertThat(context.getBean(Vantage.class)).isEqualTo(new Vantage.Instance("order", "v2"));
                });
    }

    @Test
    void aGatewayNeedsNoServletContainer() {
        new ReactiveWebApplicationContextRunner()
                .withConfiguration(STARTER)
                .withPropertyValues("spring.application.name=gateway")
                .withClassLoader(new FilteredClassLoader("jakarta.servlet", "org.apache.catalina", "feign"))
                .run(context -> {
                    assertThat(context)
                            .hasNotFailed()
                            .hasBean("sluiceDyeingFilter")
                            .hasBean("sluiceOutsideClaims")
                            .doesNotHaveBean("sluiceTagFilter");
                    assertThat(context.getBean(Vantage.class)).isEqualTo(new Vantage.Edge("gateway"));
                });
    }

    private static Class<?> classOf(String name) {
        try {
            return Class.forName(name);
        } catch (ClassNotFoundException listedButMissing) {
            throw new IllegalStateException(listedButMissing);
        }
    }
}
