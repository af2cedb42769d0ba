package io.sluice.migration.owner;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class AmountsPropertyTest {
    @Property
    void amountsReadWhatTheyWrite(@ForAll("amounts") Map<String, Long> byName) {
        Amounts amounts = Amounts.of(byName);

        assertThat(Amounts.parse(amounts.toString())).isEqualTo(amounts);
    }

    @Provide
    Arbitrary<Map<String, Long>> amounts() {
        Arbitrary<String> names = Arbitraries.strings()
                .alpha()
                .numeric()
                .withChars('_')
                .ofMinLength(1)
                .ofMaxLength(63);
        return Arbitraries.maps(names, Arbitraries.longs()).ofMaxSize(8);
    }
}
