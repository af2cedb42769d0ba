package io.sluice.server.channels;

import io.sluice.core.channel.ChannelPhase;
import io.sluice.core.channel.ChannelRelease;
import io.sluice.core.channel.Strategy;
import io.sluice.core.tag.Color;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/**
 * What the instances of one side will have to bear while the other side is away, from what all of them get now. For whoever
 * decides, before anything is drained, whether that is enough; how much an instance bears is known elsewhere.
 */
final class SideLoad {
    private SideLoad() {}

    /** A sentence for each service of a release that was not started; empty for any other, and for a rolling one. */
    static List<String> of(ChannelRelease release, List<Sides.Side> sides) {
        boolean isDraft = release.phase() instanceof ChannelPhase.Draft;
        if (!isDraft || !(release.spec().strategy() instanceof Strategy.BlueGreen strategy)) {
            return List.of();
        }
        List<String> sentences = new ArrayList<>();
        for (String service : release.spec().services()) {
            List<Sides.Instance> blue = instances(service, Color.BLUE, sides);
            List<Sides.Instance> green = instances(service, Color.GREEN, sides);
            if (!blue.isEmpty() && !green.isEmpty()) {
                sentences.add(sentence(service, blue, green, strategy.extra().getOrDefault(service, 0)));
            }
        }
        return sentences;
    }

    private static String sentence(String service, List<Sides.Instance> blue, List<Sides.Instance> green, int extra) {
        List<Sides.Instance> all = new ArrayList<>(blue);
        all.addAll(green);
        BigDecimal rate = all.stream().map(Sides.Instance::requestsPerSecond).reduce(BigDecimal.ZERO, BigDecimal::add);
        int left = Math.min(blue.size(), green.size()) + extra;
        if (rate.signum() == 0) {
            return service + ": " + left + " of " + all.size()
                    + " instances will have to carry everything; nothing comes now"
                    + " that would say how much that is";
        }
        return service + ": " + rate + " requests a second come now, " + each(rate, all.size())
                + " an instance; while a side is"
                + " away it will be " + each(rate, left) + " on " + left
                + (extra == 0 ? "" : ", " + extra + " of them extra")
                + "; sluice capacity tells whether they bear it";
    }

    private static BigDecimal each(BigDecimal rate, int instances) {
        return rate.divide(BigDecimal.valueOf(instances), 1, RoundingMode.HALF_UP);
    }

    private static List<Sides.Instance> instances(String service, Color color, List<Sides.Side> sides) {
        return sides.stream()
                .filter(side -> color.label().equals(side.color()))
                .flatMap(side -> side.instances().stream())
                .filter(instance -> instance.service().equals(service))
                .toList();
    }
}
