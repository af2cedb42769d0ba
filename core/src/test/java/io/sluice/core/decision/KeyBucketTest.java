package io.sluice.core.decision;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Requirement;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Requirement("I1")
class KeyBucketTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource({"sku-1, 5ba1d62c, 80", "sku-42, c7bc6953, 15", "sku-000, 1839a8d7, 59", "sku-999, 8e8d025a, 50"})
    void aPublishedKeyHasItsPublishedHashAndBucket(String key, String hash, int bucket) {
        assertThat(Fnv1a.update(Fnv1a.OFFSET_BASIS, key)).isEqualTo(Integer.parseUnsignedInt(hash, 16));
        assertThat(KeyBucket.of(key)).isEqualTo(bucket);
    }

    @Test
    void halfOfAThousandKeysIsAsPublished() {
        long below50 = IntStream.range(0, 1_000)
                .map(i -> KeyBucket.of(String.format("sku-%03d", i)))
                .filter(bucket -> bucket < 50)
                .count();

        assertThat(below50).isEqualTo(498);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"客户-1", "商品😀", "é", "''"})
    void aKeyOfAnyScriptHasTheBucketOfItsBytes(String key) {
        assertThat(KeyBucket.of(key)).isEqualTo(naive(key));
    }

    /** As it is written down, with 64 bits and a byte array. */
    static int naive(String key) {
        long hash = 0x811c9dc5L;
        for (byte each : key.getBytes(UTF_8)) {
            hash = (hash ^ (each & 0xff)) * 0x01000193L & 0xffff_ffffL;
        }
        return (int) Long.remainderUnsigned(hash, 100);
    }
}
