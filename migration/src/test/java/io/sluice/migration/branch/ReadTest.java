package io.sluice.migration.branch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReadTest {
    @Test
    void aReadHasTheNameThatItWasGiven() {
        Read<Branch, Integer> plain = (side, grant) -> new Versioned<>(7, 3);

        assertThat(plain.name()).isEqualTo("read");
        assertThat(Read.named("available", plain).name()).isEqualTo("available");
    }
}
