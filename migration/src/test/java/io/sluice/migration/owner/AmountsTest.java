package io.sluice.migration.owner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.core.problem.RefusedException;
import io.sluice.testing.Requirement;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Requirement("I9")
class AmountsTest {
    @Test
    void amountsAreWrittenByName() {
        assertThat(Amounts.of(Map.of("reserved", 3L, "available", -7L))).hasToString("available=-7 reserved=3");
        assertThat(Amounts.NONE).hasToString("");
        assertThat(Amounts.parse("")).isEqualTo(Amounts.NONE);
    }

    @ParameterizedTest(name = "[{0}]")
    @CsvSource({
        "available, available",
        "available=, available=",
        "available=x, available=x",
        "available=1.5, available=1.5",
        "available=9223372036854775808, available=9223372036854775808",
        "'a=1  b=2', ''",
        "' a=1', ''",
        "=1, no name",
        "a-b=1, a-b",
        "a=1=2, a=1=2"
    })
    void anyOtherTextIsRefused(String text, String shown) {
        assertThatThrownBy(() -> Amounts.parse(text))
                .isInstanceOf(RefusedException.class)
                .hasMessageStartingWith("amounts was " + shown);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"a=1 a=2", "b=1 a=2", "a=+1", "a=01", "a=-0"})
    void whatWouldBeWrittenInAnotherWayIsRefused(String text) {
        assertThatThrownBy(() -> Amounts.parse(text))
                .hasMessage(
                        "amounts was " + text + ", but must be sorted by name, each once, numbers as short as can be");
    }

    @Test
    void amountsDoNotChangeWithTheMapThatTheyCameFrom() {
        SortedMap<String, Long> map = new TreeMap<>(Map.of("a", 1L));
        Amounts amounts = new Amounts(map);

        map.put("a", 2L);

        assertThat(amounts).hasToString("a=1");
        assertThatThrownBy(() -> amounts.byName().put("b", 1L)).isInstanceOf(UnsupportedOperationException.class);
    }
}
