package io.sluice.core.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testing.Requirement;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class KeyBucketPropertyTest {
    @Requirement("I1")
    @Property
    void aBucketIsTheRemainderOfFnvOverTheBytesOfTheKey(@ForAll String key) {
        assertThat(KeyBucket.of(key)).isEqualTo(KeyBucketTest.naive(key)).isBetween(0, 99);
    }
}
