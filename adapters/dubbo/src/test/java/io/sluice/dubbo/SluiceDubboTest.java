package io.sluice.dubbo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.observation.ObservationSink;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.rule.InMemoryRuleSource;
import io.sluice.core.tag.Color;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SluiceDubboTest {
    private static final Self ORDER = new Self("order", "stable", Color.BLUE, "order@127.0.0.1:20880");

    private final FrameworkModel framework = new FrameworkModel();
    private final ApplicationModel application = framework.newApplication();
    private final InMemoryRuleSource rules = new InMemoryRuleSource();

    @AfterEach
    void destroy() {
        framework.destroy();
    }

    @Test
    void eachApplicationOfAProcessHasItsOwn() {
        ApplicationModel other = framework.newApplication();

        SluiceDubbo sluice = install(application);

        assertThat(Slot.of(application).get()).isSameAs(sluice);
        assertThat(Slot.of(other).get()).isNull();
        assertThat(install(other)).isNotSameAs(sluice);
    }

    @Test
    void anApplicationIsSetUpOnce() {
        install(application);

        assertThatThrownBy(() -> install(application)).hasMessageContaining("set up already");
    }

    @Test
    void anotherMayComeAfterOneThatWasClosed() {
        install(application).close();

        assertThat(Slot.of(application).get()).isNull();
        assertThat(install(application)).isNotNull();
    }

    @Test
    void itIsNotRegisteredBeforeDubboRegistersIt() {
        assertThat(install(application).isRegistered()).isFalse();
    }

    @Test
    void everyProblemOfWhoItIsIsNamedAtOnce() {
        assertThatThrownBy(() -> new Self("a b", "-", null, ""))
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused -> assertThat(refused.problems())
                                .extracting("path")
                                .containsExactly("service", "version", "instance"));
    }

    private SluiceDubbo install(ApplicationModel model) {
        return SluiceDubbo.install(model, rules, ORDER, ObservationSink.discarding());
    }
}
