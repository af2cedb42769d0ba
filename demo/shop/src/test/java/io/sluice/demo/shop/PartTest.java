package io.sluice.demo.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PartTest {

    @Test
    void emptyVersionIsStable() {
        var part = Part.from(Map.of(Part.SERVICE, "order", Part.VERSION, ""));

        assertThat(part.self()).isEqualTo(new Hop("order", "stable", ""));
    }

    @Test
    void faultOfOneVersionSparesTheOthers() {
        var fault = Map.of(Part.SERVICE, "order", Part.FAULT, "errors=100%", Part.FAULT_IN, "v2");

        assertThat(partOf(fault, "v1").fault().fails()).isFalse();
        assertThat(partOf(fault, "v2").fault().fails()).isTrue();
    }

    private static Part partOf(Map<String, String> environment, String version) {
        var more = new HashMap<>(environment);
        more.put(Part.VERSION, version);
        return Part.from(more);
    }

    @Test
    void everyProblemIsListed() {
        var environment = Map.of(Part.SERVICE, "shop", Part.FAULT, "errors=6");

        assertThatThrownBy(() -> Part.from(environment))
                .hasMessageContaining("SPRING_APPLICATION_NAME was 'shop'")
                .hasMessageContaining("DEMO_FAULT was 'errors=6'");
    }
}
