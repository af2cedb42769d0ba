package io.sluice.cli.demo.load;

import io.sluice.core.decision.Lane;
import io.sluice.core.identity.RequestView;
import io.sluice.core.observation.LaneCounter;
import io.sluice.core.observation.Tally;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.tag.TrafficTag;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

/**
 * The client's own account of the release: every answer, judged by who came and by the rules of that moment.
 *
 * <p>A new rule reaches the processes within milliseconds, but at no exact moment. So an answer is judged a while after
 * it came, by all rule sets that held around it: where they agree there is one right version, where they differ either
 * is right. Several threads add answers; one thread settles.
 */
public final class Ledger {
    private static final int SAMPLES = 5;
    private static final String ENTRY = "order";

    private final String version;
    private final Duration grace;
    private final Duration slowerThan;
    private final RuleTimeline timeline;
    private final Queue<Answer> unsettled = new ConcurrentLinkedQueue<>();
    private final LaneCounter stableAnswers;
    private final LaneCounter canaryAnswers;

    private Tally stable = Tally.empty();
    private Tally canary = Tally.empty();
    private long lost;
    private long wrong;
    private long fallbacks;
    private long forged;
    private long believed;
    private OptionalLong firstBadCanary = OptionalLong.empty();
    private OptionalLong lastCanarySent = OptionalLong.empty();
    private final List<String> wrongSamples = new ArrayList<>();

    /**
     * An empty ledger.
     *
     * @param version the version that the release brings
     * @param grace how long a rule may take from here to everywhere, or from everywhere to here
     * @param slowerThan an answer of the canary that takes longer is bad, as is a failed one
     */
    public Ledger(String version, Duration grace, Duration slowerThan, RuleTimeline timeline) {
        this.version = version;
        this.grace = grace;
        this.slowerThan = slowerThan;
        this.timeline = timeline;
        this.stableAnswers = new LaneCounter(slowerThan.toNanos());
        this.canaryAnswers = new LaneCounter(slowerThan.toNanos());
    }

    /** How long after an answer it is judged. */
    public Duration grace() {
        return grace;
    }

    public void add(Answer answer) {
        unsettled.add(answer);
    }

    /** Judges every answer that is old enough. */
    public synchronized void settle() {
        settle(System.nanoTime() - grace.toNanos());
    }

    synchronized void settle(long answeredBefore) {
        Answer next = unsettled.peek();
        while (next != null && next.answeredNanos() - answeredBefore <= 0) {
            judge(unsettled.remove());
            next = unsettled.peek();
        }
        stable = stable.merge(stableAnswers.drain());
        canary = canary.merge(canaryAnswers.drain());
    }

    private void judge(Answer answer) {
        List<RuleSet> rules =
                timeline.between(answer.sentNanos() - grace.toNanos(), answer.answeredNanos() + grace.toNanos());
        List<Hop> offenders = answer.trace().stream()
                .filter(hop -> !allowed(answer.visit(), hop.service(), rules).contains(hop.version()))
                .toList();
        // Stable in the canary's place is the fallback when the canary cannot be had; the other way round is a wrong.
        boolean isWrong = offenders.stream().anyMatch(hop -> !hop.version().equals(TrafficTag.STABLE_VERSION));
        if (isWrong) {
            wrong++;
            note(answer);
        } else if (!offenders.isEmpty()) {
            fallbacks++;
        }
        forged += answer.visit().hasTag() ? 1 : 0;
        believed += answer.visit().hasTag() && isWrong ? 1 : 0;
        lost += answer.isLost() ? 1 : 0;
        count(answer, lane(answer, rules));
    }

    private Set<String> allowed(Visit visit, String service, List<RuleSet> rules) {
        return rules.stream()
                .map(set -> set.wantedVersion(set.dye(RequestView.empty(), visit.who()), service))
                .collect(Collectors.toSet());
    }

    private void note(Answer answer) {
        if (wrongSamples.size() < SAMPLES) {
            wrongSamples.add(answer.visit().who().key() + " got " + answer.trace());
        }
    }

    /** The lane that served; for an answer that does not say, the one that should have. */
    private Lane lane(Answer answer, List<RuleSet> rules) {
        boolean isCanary = answer.trace().isEmpty()
                ? allowed(answer.visit(), ENTRY, rules).contains(version)
                : answer.trace().stream().anyMatch(hop -> hop.version().equals(version));
        return isCanary ? Lane.CANARY : Lane.STABLE;
    }

    private void count(Answer answer, Lane lane) {
        if (lane == Lane.STABLE) {
            stableAnswers.record(answer.latencyNanos(), answer.isFailed());
            return;
        }
        canaryAnswers.record(answer.latencyNanos(), answer.isFailed());
        boolean isBad = answer.isFailed() || answer.latencyNanos() > slowerThan.toNanos();
        if (isBad && firstBadCanary.isEmpty()) {
            firstBadCanary = OptionalLong.of(answer.answeredNanos());
        }
        if (!answer.trace().isEmpty() && isLater(answer.sentNanos(), lastCanarySent)) {
            lastCanarySent = OptionalLong.of(answer.sentNanos());
        }
    }

    private static boolean isLater(long nanos, OptionalLong than) {
        return than.isEmpty() || nanos - than.getAsLong() > 0;
    }

    /** What the answers settled so far come to. */
    public synchronized Figures figures() {
        return new Figures(
                stable, canary, lost, wrong, fallbacks, forged, believed, wrongSamples, firstBadCanary, lastCanarySent);
    }

    /**
     * What the client saw.
     *
     * @param stable answers served by stable versions only, the failed and lost ones among them
     * @param canary answers in which the new version took part
     * @param lost visits without an answer
     * @param wrong answers from a version that the rules did not allow
     * @param fallbacks answers from stable in the canary's place
     * @param forged visits with a forged tag
     * @param believed how many of those got what they claimed
     * @param wrongSamples the first wrong answers, described
     * @param firstBadCanary when the first failed or slow answer came from the canary, by {@link System#nanoTime()}
     * @param lastCanarySent when the last visit was sent that the canary answered
     */
    public record Figures(
            Tally stable,
            Tally canary,
            long lost,
            long wrong,
            long fallbacks,
            long forged,
            long believed,
            List<String> wrongSamples,
            OptionalLong firstBadCanary,
            OptionalLong lastCanarySent) {
        public Figures {
            wrongSamples = List.copyOf(wrongSamples);
        }

        public long failed() {
            return stable.failed() + canary.failed();
        }
    }
}
