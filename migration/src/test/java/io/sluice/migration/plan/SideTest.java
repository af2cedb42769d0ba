package io.sluice.migration.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SideTest {
    @ParameterizedTest
    @EnumSource
    void aSideReadsWhatItWritesAndHasOneOther(Side side) {
        assertThat(Side.parse(side.label())).isEqualTo(side);
        assertThat(side.other()).isNotEqualTo(side);
        assertThat(side.other().other()).isEqualTo(side);
    }

    @ParameterizedTest(name = "[{0}]")
    @CsvSource({"'', empty", "NEW, NEW", "old, old", "'new ', 'new '"})
    void anyOtherWordIsRefused(String label, String shown) {
        assertThatThrownBy(() -> Side.parse(label)).hasMessage("side was " + shown + ", but must be legacy or new");
    }
}
