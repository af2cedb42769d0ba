package io.sluice.core.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.testing.Requirement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BucketingTest {
    @Test
    void aSaltHasOneTo256Characters() {
        assertThat(Bucketing.of(BucketHash.FNV1A, "s").salt()).isEqualTo("s");
        assertThat(Bucketing.of(BucketHash.FNV1A, "s".repeat(256)).salt()).hasSize(256);
        assertThatThrownBy(() -> Bucketing.of(BucketHash.FNV1A, "")).hasMessageStartingWith("salt was empty, but must");
        assertThatThrownBy(() -> Bucketing.of(BucketHash.FNV1A, "s".repeat(257)))
                .hasMessageStartingWith("salt was 257 characters, but must");
    }

    @Requirement("A5")
    @Test
    void anotherReleaseHasOtherFirstCustomers() {
        Bucketing october = Bucketing.of(BucketHash.FNV1A_MIXED, "release-2026-10");
        Bucketing november = Bucketing.of(BucketHash.FNV1A_MIXED, "release-2026-11");

        assertThat(october.bucket("customer-42")).isNotEqualTo(november.bucket("customer-42"));
        assertThat(october).isNotEqualTo(november).isEqualTo(Bucketing.of(BucketHash.FNV1A_MIXED, "release-2026-10"));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"release-2025-02, 6", "release-2028-09, 10", "release-2026-10, 32"})
    void tellsHowManyLowBitsTwoSaltsShare(String salt, int bits) {
        Bucketing october = Bucketing.of(BucketHash.FNV1A, "release-2026-10");

        assertThat(october.sharedLowBits(Bucketing.of(BucketHash.FNV1A, salt))).isEqualTo(bits);
    }

    @Test
    void aHashIsNamedByItsLabel() {
        assertThat(BucketHash.parse("fnv1a")).isEqualTo(BucketHash.FNV1A);
        assertThat(BucketHash.parse("fnv1a-mixed")).isEqualTo(BucketHash.FNV1A_MIXED);
    }

    @ParameterizedTest(name = "[{0}]")
    @ValueSource(strings = {"", "FNV1A", "fnv1a ", "murmur3"})
    void anyOtherNameOfAHashIsRefused(String label) {
        assertThatThrownBy(() -> BucketHash.parse(label)).hasMessageEndingWith("must be fnv1a or fnv1a-mixed");
    }
}
