package io.sluice.cli.demo.bluegreen;

import io.sluice.cli.demo.load.Answer;
import io.sluice.cli.demo.load.Hop;
import io.sluice.cli.demo.load.RuleTimeline;
import io.sluice.core.decision.Percent;
import io.sluice.core.observation.LaneCounter;
import io.sluice.core.observation.Tally;
import io.sluice.core.rule.Channel;
import io.sluice.core.rule.Flow;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.tag.Color;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The client's own account: what was lost, what failed, whether colors ever mixed, and what share each side really had.
 *
 * <p>A rule reaches the processes within milliseconds, but at no exact moment. So an answer is judged a while after it came,
 * by all rule sets that held around it, and counts for a share only where they agree. Several threads add answers; one
 * settles.
 */
final class ChannelLedger {
    private static final int SAMPLES = 5;
    private static final Duration GRACE = Duration.ofSeconds(1);
    private static final Duration SLOW = Duration.ofSeconds(1);

    private final RuleTimeline timeline;
    private final Queue<Answer> unsettled = new ConcurrentLinkedQueue<>();
    private final LaneCounter answers = new LaneCounter(SLOW.toNanos());
    private final Map<StepKey, long[]> steps = new LinkedHashMap<>();
    private final List<String> samples = new ArrayList<>();
    private Tally all = Tally.empty();
    private long lost;
    private long crossed;

    ChannelLedger(RuleTimeline timeline) {
        this.timeline = timeline;
    }

    Duration grace() {
        return GRACE;
    }

    void add(Answer answer) {
        unsettled.add(answer);
    }

    /** Judges every answer that is old enough. */
    synchronized void settle() {
        settle(System.nanoTime() - GRACE.toNanos());
    }

    synchronized void settle(long answeredBefore) {
        Answer next = unsettled.peek();
        while (next != null && next.answeredNanos() - answeredBefore <= 0) {
            judge(unsettled.remove());
            next = unsettled.peek();
        }
        all = all.merge(answers.drain());
    }

    private void judge(Answer answer) {
        answers.record(answer.latencyNanos(), answer.isFailed());
        lost += answer.status() == 0 ? 1 : 0;
        if (answer.isFailed()) {
            note("status " + answer.status() + " for " + answer.visit().who().key());
        }
        List<RuleSet> rules =
                timeline.between(answer.sentNanos() - GRACE.toNanos(), answer.answeredNanos() + GRACE.toNanos());
        if (rules.isEmpty() || answer.trace().isEmpty()) {
            return;
        }
        for (Channel channel : rules.get(0).channels()) {
            judge(channel.id(), answer, rules);
        }
    }

    /** Judged only if the channel was in release all the time around the answer. */
    private void judge(String channel, Answer answer, List<RuleSet> rules) {
        List<Flow> flows = new ArrayList<>();
        for (RuleSet set : rules) {
            Flow flow = flowIn(channel, set);
            if (flow == null) {
                return;
            }
            flows.add(flow);
        }
        List<String> colors = answer.trace().stream()
                .filter(hop -> isIn(channel, hop, rules.get(0)))
                .map(Hop::color)
                .toList();
        if (colors.isEmpty()) {
            return;
        }
        if (colors.stream().distinct().count() > 1) {
            crossed++;
            note(answer.visit().who().key() + " got " + answer.trace());
        }
        StepKey step = StepKey.of(channel, flows.get(0));
        if (flows.stream().allMatch(flow -> StepKey.of(channel, flow).equals(step))) {
            long[] counts = steps.computeIfAbsent(step, any -> new long[Color.values().length]);
            counts[colors.get(0).equals(Color.BLUE.label()) ? Color.BLUE.ordinal() : Color.GREEN.ordinal()]++;
        }
    }

    private static @Nullable Flow flowIn(String channel, RuleSet rules) {
        for (Channel each : rules.channels()) {
            if (each.id().equals(channel)) {
                return each.flow();
            }
        }
        return null;
    }

    private static boolean isIn(String channel, Hop hop, RuleSet rules) {
        Channel of = rules.channelOf(hop.service());
        return of != null && of.id().equals(channel);
    }

    private void note(String sample) {
        if (samples.size() < SAMPLES) {
            samples.add(sample);
        }
    }

    /** What the answers settled so far come to. */
    synchronized Figures figures() {
        List<Step> seen = steps.entrySet().stream()
                .map(entry -> new Step(
                        entry.getKey().channel(),
                        entry.getKey().release(),
                        entry.getKey().step(),
                        entry.getKey().blue(),
                        entry.getValue()[Color.BLUE.ordinal()],
                        entry.getValue()[Color.GREEN.ordinal()]))
                .sorted(Comparator.comparing(Step::channel).thenComparing(Step::step))
                .toList();
        return new Figures(all, lost, crossed, seen, samples);
    }

    private record StepKey(String channel, String release, long step, Percent blue) {
        static StepKey of(String channel, Flow flow) {
            return new StepKey(channel, flow.release(), flow.step(), flow.blue());
        }
    }

    /**
     * What the client saw.
     *
     * @param answers all visits, the failed and lost ones among them
     * @param lost visits without an answer
     * @param crossed answers in which both colors of a channel in release took part
     * @param steps what share each weight really gave
     * @param samples the first answers that should not have been, described
     */
    record Figures(Tally answers, long lost, long crossed, List<Step> steps, List<String> samples) {
        Figures {
            steps = List.copyOf(steps);
            samples = List.copyOf(samples);
        }
    }

    /** One weight of one release, and how many requests of each color entered its channel. */
    record Step(String channel, String release, long step, Percent blue, long blueRequests, long greenRequests) {
        long requests() {
            return blueRequests + greenRequests;
        }

        double achievedPercent() {
            return requests() == 0 ? 0 : 100.0 * blueRequests / requests();
        }

        double askedPercent() {
            return blue.basisPoints() / 100.0;
        }

        /** How far off the share of so many requests is by chance alone, at most, in 19 cases of 20: two standard deviations. */
        double chance() {
            double share = blue.basisPoints() / 10_000.0;
            return requests() == 0 ? 0 : 200.0 * Math.sqrt(share * (1 - share) / requests());
        }
    }
}
