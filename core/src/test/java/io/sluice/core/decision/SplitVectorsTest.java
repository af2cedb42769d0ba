package io.sluice.core.decision;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Requirement;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Requirement({"A1", "F17", "L5"})
class SplitVectorsTest {
    private static final List<SplitVectors.Row> ROWS = SplitVectors.all();
    private static final Pattern UUID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

    @ParameterizedTest(name = "[{0}]")
    @CsvSource({
        "'', fc89fd8d, 1773, 8de37e0b, 6395",
        "c-0000000, ba4e18d7, 343, a336c200, 4816",
        "c-0000042, 24443259, 9113, aef9c927, 5543",
        "customer-42, cc4f6086, 4118, 44b2834b, 9707",
        "vip-1, 5b6f9e5a, 1690, 52664488, 3928",
        "req-1, 66b40f19, 6377, 6b3430de, 2494",
        "客户-1, 524ba0c9, 8073, f56a46bf, 2847",
        "é, 7eeb6ed9, 8553, 56277cbc, 8412",
        "😀, c4d74310, 1744, 58d1df4e, 9198"
    })
    void publishedVectorsHold(String key, String hash, int bucket, String mixed, int mixedBucket) {
        Bucketing plain = Bucketing.of(BucketHash.FNV1A, "release-2026-10");
        Bucketing mixing = Bucketing.of(BucketHash.FNV1A_MIXED, "release-2026-10");

        int word = Fnv1a.update(Fnv1a.updateZero(Fnv1a.update(Fnv1a.OFFSET_BASIS, "release-2026-10")), key);

        assertThat(Integer.toHexString(word)).isEqualTo(hash);
        assertThat(plain.bucket(key)).isEqualTo(bucket);
        assertThat(Integer.toHexString(Fnv1a.mix(word))).isEqualTo(mixed);
        assertThat(mixing.bucket(key)).isEqualTo(mixedBucket);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"sku-1, 5ba1d62c, 80", "sku-42, c7bc6953, 15", "sku-000, 1839a8d7, 59", "sku-999, 8e8d025a, 50"})
    void unsaltedKeysHashAsPublished(String sku, String hash, int modulo100) {
        int word = Fnv1a.update(Fnv1a.OFFSET_BASIS, sku);

        assertThat(Integer.toHexString(word)).isEqualTo(hash);
        assertThat(Integer.remainderUnsigned(word, 100)).isEqualTo(modulo100);
    }

    @Test
    void theProductAgreesWithEveryRowOfTheTable() {
        assertThat(ROWS).hasSize(5_000).allSatisfy(row -> {
            assertThat(Bucketing.of(BucketHash.FNV1A, row.salt()).bucket(row.key()))
                    .isEqualTo(row.fnv1aBucket());
            assertThat(Bucketing.of(BucketHash.FNV1A_MIXED, row.salt()).bucket(row.key()))
                    .isEqualTo(row.mixedBucket());
        });
    }

    @Test
    void theSpecificationAgreesWithEveryRowOfTheTable() {
        assertThat(ROWS).allSatisfy(row -> {
            long word = NaiveBuckets.fnv1a(row.salt(), row.key());
            assertThat((int) word).isEqualTo(row.fnv1a());
            assertThat((int) NaiveBuckets.mixed(word)).isEqualTo(row.mixed());
            assertThat(NaiveBuckets.bucket(BucketHash.FNV1A, row.salt(), row.key()))
                    .isEqualTo(row.fnv1aBucket());
            assertThat(NaiveBuckets.bucket(BucketHash.FNV1A_MIXED, row.salt(), row.key()))
                    .isEqualTo(row.mixedBucket());
        });
    }

    @Test
    void theTableHasTheAwkwardKeys() {
        assertThat(ROWS).extracting(SplitVectors.Row::key).contains("", "客户-1", "😀", "\ud800", "\udc00\ud800", " 42");
        assertThat(ROWS)
                .filteredOn(row -> row.key().getBytes(UTF_8).length == 256)
                .hasSizeGreaterThan(200);
        assertThat(ROWS).filteredOn(row -> row.key().isEmpty()).hasSizeGreaterThan(10);
        assertThat(ROWS)
                .filteredOn(row -> row.key().codePoints().anyMatch(Character::isIdeographic))
                .hasSizeGreaterThan(500);
        assertThat(ROWS)
                .filteredOn(row -> row.key().codePoints().anyMatch(Character::isSupplementaryCodePoint))
                .hasSizeGreaterThan(500);
        assertThat(ROWS).filteredOn(row -> UUID.matcher(row.key()).matches()).hasSizeGreaterThan(300);
        assertThat(ROWS).filteredOn(row -> row.fnv1a() < 0).hasSizeGreaterThan(2_000);
        assertThat(ROWS).filteredOn(row -> row.mixed() < 0).hasSizeGreaterThan(2_000);
    }
}
