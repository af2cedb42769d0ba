package io.sluice.demo.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class PartTest {

    @Test
    void emptyVersionIsStable() {
        var part = Part.from(Map.of(Part.SERVICE, "order", Part.VERSION, ""));

        assertThat(part.self()).isEqualTo(new Hop("order", "stable"));
    }

    @Test
    void everyProblemIsListed() {
        var environment = Map.of(Part.SERVICE, "shop", Part.FAULT, "errors=6");

        assertThatThrownBy(() -> Part.from(environment))
                .hasMessageContaining("SPRING_APPLICATION_NAME was 'shop'")
                .hasMessageContaining("DEMO_FAULT was 'errors=6'");
    }
}
