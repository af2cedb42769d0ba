package io.sluice.migration.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class SortedTest {
    @Property
    void keysAreOrderedAsTheirBytesInUtf8(@ForAll("texts") String a, @ForAll("texts") String b) {
        int bytes = Arrays.compareUnsigned(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));

        assertThat(Integer.signum(Sorted.compare(a, b))).isEqualTo(Integer.signum(bytes));
    }

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.of("a", "z", "é", "库", "\uffee", "\ue000", "😀", "😁", "𠀀", "-", "_")
                .list()
                .ofMaxSize(3)
                .map(parts -> String.join("", parts));
    }
}
