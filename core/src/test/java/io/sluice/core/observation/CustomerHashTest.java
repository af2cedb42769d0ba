package io.sluice.core.observation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CustomerHashTest {
    /** Worked out by another program, which knows the published FNV-1a values of "a" and "foobar", and fmix64 of 1. */
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "'', efd01f60ba992926",
        "a, 82a2a958a9bece5b",
        "foobar, 2c22194922d1672b",
        "42, 810b196a56ee3cec",
        "c-0000042, 40d352c1ece89396",
        "10086, c4a1ee93ef89e082",
        "客户, 095bbea2a94a5fa6",
        "😀, 5f6398e188038c1d"
    })
    void everyInstanceKnowsACustomerByTheSameHash(String uid, String hash) {
        assertThat(CustomerHash.of(uid)).isEqualTo(Long.parseUnsignedLong(hash, 16));
    }
}
