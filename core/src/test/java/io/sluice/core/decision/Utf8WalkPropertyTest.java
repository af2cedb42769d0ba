package io.sluice.core.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Requirement;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

@Requirement({"A1", "F17"})
class Utf8WalkPropertyTest {
    @Property(tries = 5_000)
    void hashingCharsEqualsHashingTheirUtf8Bytes(@ForAll("anyText") String text) {
        int walked = Fnv1a.update(Fnv1a.OFFSET_BASIS, text);

        assertThat(Integer.toUnsignedLong(walked)).isEqualTo(NaiveBuckets.fnv1a(text));
    }

    @Property
    void bucketsEqualTheSpecifications(
            @ForAll BucketHash hash, @ForAll("salts") String salt, @ForAll("anyText") String key) {
        int bucket = Bucketing.of(hash, salt).bucket(key);

        assertThat(bucket).isBetween(0, 9_999).isEqualTo(NaiveBuckets.bucket(hash, salt, key));
    }

    /** Each length of UTF-8 and its borders; half of the units are surrogates, so pairs and broken pairs both come up. */
    @Provide
    Arbitrary<String> anyText() {
        return Arbitraries.chars()
                .range('\0', '\u007f')
                .range('\u0080', '\u07ff')
                .range('\u0800', '\uffff')
                .range('\ud800', '\udbff')
                .range('\udc00', '\udfff')
                .list()
                .ofMaxSize(40)
                .map(units -> units.stream().map(String::valueOf).reduce("", String::concat));
    }

    @Provide
    Arbitrary<String> salts() {
        return anyText().filter(text -> !text.isEmpty());
    }
}
