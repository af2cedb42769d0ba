package io.sluice.core.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Requirement;
import java.util.List;
import java.util.function.Function;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class InstanceChoicePropertyTest {
    @Requirement("E5")
    @Property
    void anotherVersionIsNeverAnAnswer(@ForAll("versions") List<String> instances, @ForAll("wanted") String wanted) {
        InstanceChoice<String> choice = InstanceChoice.of(wanted, instances, Function.identity());

        assertThat(choice.instances()).isSubsetOf(wanted, "stable", "");
        assertThat(choice.instances().isEmpty()).isEqualTo(choice.rung() == Rung.NONE);
        assertThat(choice.instances().contains(wanted)).isEqualTo(instances.contains(wanted));
    }

    @Provide
    Arbitrary<List<String>> versions() {
        return Arbitraries.of("", "stable", "v1", "v2", "v3").list().ofMaxSize(6);
    }

    @Provide
    Arbitrary<String> wanted() {
        return Arbitraries.of("stable", "v1", "v2", "v9");
    }
}
