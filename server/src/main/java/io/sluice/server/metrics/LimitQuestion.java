package io.sluice.server.metrics;

import io.sluice.core.decision.Lane;
import io.sluice.core.guard.Finding;
import io.sluice.core.guard.Health;
import io.sluice.core.guard.Metric;
import io.sluice.core.problem.Problem;
import io.sluice.core.release.Release;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;

/** One number of canary's, held against a limit. */
final class LimitQuestion implements Question {
    private final Release release;
    private final Metric metric;
    private final Metric.Limit limit;
    private final Findings findings;

    LimitQuestion(Release release, Metric metric, Metric.Limit limit) {
        this.release = release;
        this.metric = metric;
        this.limit = limit;
        this.findings = new Findings(metric);
    }

    @Override
    public String text(Duration elapsed) {
        return Template.fill(limit.query(), release, Lane.CANARY, elapsed);
    }

    @Override
    public Finding judge(List<Sample> answer, Duration elapsed) throws SourceException {
        if (answer.size() != 1) {
            throw new SourceException(answer.isEmpty() ? "an empty result" : answer.size() + " series in place of one");
        }
        double value = answer.get(0).value();
        if (!Double.isFinite(value)) {
            throw new SourceException(String.valueOf(value));
        }
        boolean over = value > limit.max();
        String reason = metric.name() + "=" + plain(value) + (over ? ">" : "<=") + plain(limit.max());
        return findings.number(over ? Health.BREACH : Health.HEALTHY, reason, value, limit.max());
    }

    @Override
    public Finding unanswered(String why) {
        String reason = why + " from " + Problem.printable(limit.query());
        return findings.number(Health.HOLD, reason, Double.NaN, limit.max());
    }

    /** With all its digits, since a number must not look equal to a limit that it is over. */
    private static String plain(double value) {
        String plain =
                new BigDecimal(String.valueOf(value)).stripTrailingZeros().toPlainString();
        return plain.length() > 24 ? String.valueOf(value) : plain;
    }
}
