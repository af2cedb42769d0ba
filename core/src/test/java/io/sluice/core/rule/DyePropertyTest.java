package io.sluice.core.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.identity.Identity;
import io.sluice.core.identity.RequestView;
import io.sluice.core.tag.TagCodec;
import io.sluice.core.tag.TagReading;
import io.sluice.core.tag.TrafficTag;
import io.sluice.testing.Requirement;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** What the edge writes, the next hop reads: the customer whoever it is, the releases however many there are. */
@Requirement("E1")
class DyePropertyTest {
    @Property(tries = 300)
    void theNextHopReadsWhatTheEdgeWrote(
            @ForAll String customer, @ForAll String channel, @ForAll @IntRange(max = 120) int releases) {
        RuleSet rules = RuleSet.of(0, 1, canaries(releases));

        TrafficTag tag = rules.dye(RequestView.empty(), Identity.of(customer, "req-1", channel));

        assertThat(TagCodec.parse(TagCodec.format(tag))).isEqualTo(new TagReading(tag, ""));
    }

    /** Everybody is on all of them, and their ids have the longest length. */
    private static List<ReleaseRule> canaries(int number) {
        return IntStream.range(100, 100 + number)
                .mapToObj(i -> SampleRule.live("r".repeat(61) + i, 100, "service-" + i))
                .toList();
    }
}
