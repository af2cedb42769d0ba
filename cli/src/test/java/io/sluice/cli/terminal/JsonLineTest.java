package io.sluice.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;

class JsonLineTest {
    @Test
    void membersKeepTheirOrder() {
        JsonLine json = new JsonLine().with("b", "x").with("a", 1).withNull("c").with("d", new BigDecimal("1E+2"));

        assertThat(json).hasToString("{\"b\":\"x\",\"a\":1,\"c\":null,\"d\":100}");
    }

    @Test
    void decimalsArePlainAndWithoutTrailingZeros() {
        JsonLine json = new JsonLine().with("a", new BigDecimal("0.0880")).with("b", new BigDecimal("0.000000"));

        assertThat(json).hasToString("{\"a\":0.088,\"b\":0}");
    }

    @Test
    void textIsEscapedWhereJsonAsksForIt() {
        JsonLine json = new JsonLine().with("k", "\"\\\n\u0000é😀\ud83d");

        assertThat(json).hasToString("{\"k\":\"\\\"\\\\\\u000a\\u0000é😀\\ud83d\"}");
    }
}
