package io.sluice.core.propagation;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.tag.Assignment;
import io.sluice.core.tag.TagReading;
import io.sluice.core.tag.TrafficTag;
import io.sluice.testing.Requirement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

@Requirement("E3")
class TagContextTest {
    private static final TrafficTag TAG = new TrafficTag("10086", "app", List.of(new Assignment("r1", "v2")));
    private static final CarrierGetter<Map<String, List<String>>> GETTER =
            (carrier, name) -> carrier.getOrDefault(name, List.of());
    private static final CarrierSetter<Map<String, List<String>>> SETTER =
            (carrier, name, value) -> carrier.put(name, List.of(value));

    @Test
    void theTagLastsAsLongAsItsScope() {
        try (Scope scope = TagContext.with(TAG)) {
            assertThat(TagContext.current()).isSameAs(TAG);
        }

        assertThat(TagContext.current()).isSameAs(TrafficTag.empty());
    }

    @Test
    void aTestMayReplaceTheStorage() {
        StrictTagStorage strict = new StrictTagStorage();

        try (Scope replaced = TagContext.use(strict);
                Scope scope = TagContext.with(TAG)) {
            assertThat(strict.current()).isSameAs(TAG);
        }

        strict.assertNoLeaks();
        assertThat(TagContext.current()).isSameAs(TrafficTag.empty());
    }

    @Test
    void whatOneHopWritesTheNextReads() {
        Map<String, List<String>> carrier = new HashMap<>();

        TagCarrier.inject(TAG, carrier, SETTER);

        assertThat(TagCarrier.extract(carrier, GETTER)).isEqualTo(new TagReading(TAG, ""));
    }

    @Test
    void theEmptyTagIsNotWritten() {
        Map<String, List<String>> carrier = new HashMap<>();

        TagCarrier.inject(TrafficTag.empty(), carrier, SETTER);

        assertThat(carrier).isEmpty();
        assertThat(TagCarrier.extract(carrier, GETTER)).isEqualTo(TagReading.none());
    }

    @Test
    void twoTagsOnOneCarrierAreNone() {
        Map<String, List<String>> carrier = Map.of("X-Gray-Tag", List.of("uid=1", "uid=2"));

        assertThat(TagCarrier.extract(carrier, GETTER).isRefused()).isTrue();
    }
}
