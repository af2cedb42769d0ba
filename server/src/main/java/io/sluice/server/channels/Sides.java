package io.sluice.server.channels;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.sluice.core.channel.Workload;
import io.sluice.core.channel.Workloads;
import io.sluice.core.rule.Channel;
import io.sluice.core.tag.Color;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The instances of a channel, side by side, with what each gets. */
@Component
class Sides {
    private final Workloads workloads;
    private final ShareWatch shares;

    Sides(Workloads workloads, ShareWatch shares) {
        this.workloads = workloads;
        this.shares = shares;
    }

    /**
     * A side. The instances without a color stand on one of their own, without a color, when there are any.
     *
     * @param share of the channel's requests, in percent
     * @param versions what its instances run, each once
     */
    record Side(@Nullable String color, @Nullable BigDecimal share, List<String> versions, List<Instance> instances) {}

    /**
     * An instance.
     *
     * @param plannedShare of its service's requests, in percent, by the rules that are saved
     * @param share that it had of them in the last ten seconds, in percent; null without requests
     * @param imbalance how many times its planned share it got, once that was too much for ten seconds; null before
     */
    record Instance(
            String service,
            String instance,
            String version,
            boolean ready,
            boolean registered,
            boolean reached,
            long requests,
            BigDecimal requestsPerSecond,
            BigDecimal plannedShare,
            @Nullable BigDecimal share,

            @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable
            BigDecimal imbalance) {}

    /** @param channel with what a release makes of it */
    List<Side> of(Channel channel) {
        List<Workload> own = workloads.all().stream()
                .filter(each -> channel.covers(each.service()))
                .toList();
        Map<String, Double> planned = PlannedShares.of(channel, own);
        List<Side> sides = new ArrayList<>();
        BigDecimal blue = new BigDecimal(channel.bluePercent().number());
        sides.add(side(Color.BLUE, blue, own, planned));
        sides.add(side(Color.GREEN, BigDecimal.valueOf(100).subtract(blue), own, planned));
        if (own.stream().anyMatch(each -> each.color() == null)) {
            sides.add(side(null, null, own, planned));
        }
        return sides;
    }

    private Side side(
            @Nullable Color color, @Nullable BigDecimal share, List<Workload> own, Map<String, Double> planned) {
        List<Workload> those =
                own.stream().filter(each -> each.color() == color).toList();
        return new Side(
                color == null ? null : color.label(),
                share,
                those.stream().map(Workload::version).distinct().sorted().toList(),
                those.stream()
                        .map(each -> instance(each, planned.getOrDefault(each.instance(), 0.0)))
                        .toList());
    }

    private Instance instance(Workload workload, double planned) {
        Imbalance.Rate rate = shares.of(workload.instance());
        Double imbalance = rate == null ? null : rate.imbalance();
        return new Instance(
                workload.service(),
                workload.instance(),
                workload.version(),
                workload.ready(),
                workload.registered(),
                workload.isReached(),
                workload.requests(),
                rate == null ? BigDecimal.ZERO : number(rate.requestsPerSecond(), 1),
                number(planned * 100, 2),
                rate == null || Double.isNaN(rate.share()) ? null : number(rate.share() * 100, 2),
                imbalance == null ? null : number(imbalance, 1));
    }

    private static BigDecimal number(double value, int digits) {
        return BigDecimal.valueOf(value).setScale(digits, RoundingMode.HALF_UP);
    }
}
