package io.sluice.server.channels;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.core.channel.ChannelPhase;
import io.sluice.core.channel.ChannelRelease;
import io.sluice.testing.Requirement;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SideLoadTest {
    private static final ChannelRelease DRAFT =
            ChannelRelease.draft(Samples.spec(Samples.blueGreen("r1", "trade", "10m"), "order"));

    @Test
    @Requirement("C7")
    void whatOneSideWillBearIsSaidBeforeTheStart() {
        List<String> advice = SideLoad.of(DRAFT, sides(2, 12.0));

        assertThat(advice)
                .containsExactly(
                        "order: 48.0 requests a second come now, 12.0 an instance; while a side is away it will be 24.0"
                                + " on 2; sluice capacity tells whether they bear it");
    }

    @Test
    void withoutRequestsItIsSaidThatNothingIsKnown() {
        assertThat(SideLoad.of(DRAFT, sides(2, 0.0))).singleElement().asString().contains("nothing comes now");
    }

    @Test
    void afterTheStartThereIsNothingToAdvise() {
        ChannelRelease started =
                new ChannelRelease(DRAFT.spec(), new ChannelPhase.Completed(), DRAFT.roster(), false, 1, 2, 0);

        assertThat(SideLoad.of(started, sides(2, 12.0))).isEmpty();
    }

    private static List<Sides.Side> sides(int instances, double each) {
        return List.of(side("blue", instances, each), side("green", instances, each));
    }

    private static Sides.Side side(String color, int instances, double each) {
        return new Sides.Side(
                color,
                BigDecimal.valueOf(50),
                List.of("v1"),
                IntStream.range(0, instances)
                        .mapToObj(i -> new Sides.Instance(
                                "order",
                                "order-" + color + "-" + i,
                                "v1",
                                true,
                                true,
                                true,
                                100,
                                BigDecimal.valueOf(each),
                                BigDecimal.valueOf(25),
                                BigDecimal.valueOf(25),
                                null))
                        .toList());
    }
}
