package io.sluice.cli.guard;

import io.sluice.core.simulation.Frequency;
import io.sluice.wire.DurationText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Forecasts in words. */
final class ForecastText {
    private ForecastText() {}

    static List<String> lines(Forecast forecast) {
        Forecast.Question question = forecast.question();
        List<String> lines = new ArrayList<>();
        lines.add(format(
                "%s: %s of %s requests a second for %s, about %s canary requests",
                question.name(),
                question.percent(),
                number(question.service().requestsPerSecond()),
                DurationText.format(question.hold()),
                number(question.expected())));
        if (!question.isJudged()) {
            lines.add(format(
                    "  cannot be judged within its hold time: needs %d requests, about %s more requests, about %s more",
                    question.needed(),
                    number(Math.ceil(question.needed() - question.expected())),
                    minutes(question.secondsNeeded() - question.hold().toMillis() / 1e3)));
        }
        lines.add(format(
                "  a canary that is no worse is taken back by the hard limit (%d requests, over %s) in %s%s",
                question.guard().limits().minSamples(),
                question.guard().limits().maxErrorRate(),
                percent(forecast.hardLimit()),
                forecast.detector() == null
                        ? "; nothing is compared with stable"
                        : ", by the comparison with stable in " + percent(forecast.detector())));
        for (Forecast.Break each : forecast.breaks()) {
            lines.add(format(
                    "  one that fails at %s is found in %s of the stages; by the hard limit after %s%s",
                    percent(each.errorRate()),
                    percent(each.inHold().rate()),
                    delay(each.hardLimit()),
                    each.detector() == null ? "" : ", by the comparison after " + delay(each.detector())));
        }
        return lines;
    }

    /** The chance that any of the stages has it, each by its rate. */
    static double anyOf(List<Forecast> forecasts, Function<Forecast, @Nullable Frequency> frequency) {
        double none = 1;
        for (Forecast forecast : forecasts) {
            Frequency one = frequency.apply(forecast);
            none *= one == null ? 1 : 1 - one.rate();
        }
        return 1 - none;
    }

    private static String delay(Forecast.Found found) {
        double median = found.requests().median();
        if (Double.isInfinite(median)) {
            return "longer than simulated";
        }
        double p90 = found.requests().quantile(90);
        return format(
                "%s (P90 %s) canary requests, %s",
                number(median),
                Double.isInfinite(p90) ? "longer" : number(p90),
                minutes(found.seconds().median()));
    }

    private static String minutes(double seconds) {
        return seconds < 60
                ? format("%.0f seconds", seconds)
                : format(seconds < 600 ? "%.1f minutes" : "%.0f minutes", seconds / 60);
    }

    private static String percent(Frequency frequency) {
        return format("%s (at most %s)", percent(frequency.rate()), percent(frequency.upper(0.99)));
    }

    static String percent(double share) {
        return format(share > 0 && share < 0.1 ? "%.2f%%" : "%.0f%%", 100 * share);
    }

    private static String number(double value) {
        return value == Math.rint(value) || value >= 100 ? format("%.0f", value) : format("%.1f", value);
    }

    private static String format(String format, @Nullable Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
