package io.sluice.core.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CustomersTest {
    @Test
    void knowsItsCustomersAndNobodyElse() {
        List<String> ids = IntStream.range(0, 1000).mapToObj(i -> "c-" + i).toList();
        Customers customers = Customers.of(ids.subList(0, 500));

        assertThat(ids.subList(0, 500)).allMatch(customers::has);
        assertThat(ids.subList(500, 1000)).noneMatch(customers::has);
        assertThat(customers.has("")).isFalse();
    }

    @Test
    void equalsTheSetOfItsIds() {
        Customers customers = Customers.of(List.of("a", "b", "a"));

        assertThat(customers).isEqualTo(Set.of("a", "b")).hasSameHashCodeAs(Set.of("a", "b"));
        assertThat(customers.contains(42)).isFalse();
    }

    @Test
    void theEmptySetHasNobody() {
        assertThat(Customers.of(List.of()).has("a")).isFalse();
    }
}
