package io.sluice.cli.guard;

import io.sluice.core.decision.Percent;
import io.sluice.core.simulation.Frequency;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Forecasts in words. */
final class ForecastText {
    private ForecastText() {}

    static String stage(int number, int of) {
        return of == 1 ? "stage" : "stage " + number + " of " + of;
    }

    static String line(Idle idle, int stages) {
        return stage(idle.number(), stages) + ": " + idle.stage().percent()
                + (idle.isAllowlist() ? ": only the allowlist" : ": not held")
                + "; not simulated; needs " + count(idle.needed(), "request") + " of its own";
    }

    static List<String> lines(Forecast forecast) {
        Forecast.Question question = forecast.question();
        List<String> lines = new ArrayList<>();
        lines.add(format(
                "%s: %s of %s requests a second for %s, about %s canary requests%s",
                stage(question.number(), question.of()),
                question.percent(),
                number(question.service().requestsPerSecond()),
                time(question.hold()),
                number(question.expected()),
                forecast.isPlayedWhole() ? "" : "; only the first " + time(forecast.played()) + " are played"));
        if (!question.isJudged()) {
            double more = Math.ceil(question.needed() - question.expected());
            lines.add(format(
                    "  cannot be judged within its hold time: needs %s, about %s more, about %s more",
                    count(question.needed(), "request"),
                    number(more),
                    time(question.secondsNeeded() - seconds(question.hold()))));
        }
        if (question.guard().clearance()) {
            lines.add(format(
                    "  pace evidence: needs %s, if none fails, to show that the error rate is under %s",
                    count(question.needed(), "request"),
                    question.guard().limits().maxErrorRate()));
        }
        lines.add(format(
                "  false alarms: hard limit (over %s, from %s on) %s; %s",
                question.guard().limits().maxErrorRate(),
                count(question.guard().limits().minSamples(), "request"),
                percent(forecast.hardLimit()),
                forecast.detector() == null
                        ? notCompared(question.percent())
                        : "comparison with stable " + percent(forecast.detector())));
        forecast.breaks().forEach(each -> lines.add(line(question, each)));
        if (question.breaks().isEmpty()) {
            double base = question.service().baseError();
            lines.add(
                    base >= 1
                            ? "  no bad canary is played: nothing is worse than " + percent(base)
                            : "  no bad canary is played: there is no twice " + percent(base)
                                    + "; say with --canary-error what one would fail");
        }
        return lines;
    }

    /** {@code a canary failing 1% (2x today)}. */
    static String canary(double errorRate, double base) {
        return "a canary failing " + percent(errorRate)
                + (base > 0 ? " (" + number(errorRate / base) + "x today)" : "");
    }

    private static String notCompared(Percent percent) {
        return percent.isAllOrNothing() ? "nobody left to compare with" : "errors are not compared with stable";
    }

    private static String line(Forecast.Question question, Forecast.Break each) {
        String canary = canary(each.errorRate(), question.service().baseError());
        String unseen = format(
                "not found within the %s (%s) that were played",
                count(question.requestsIn(each.played()), "request"), time(each.played()));
        return format(
                "  %s: found in time in %s; by the hard limit %s%s",
                canary,
                percent(each.inHold().rate()),
                delay(each.hardLimit(), unseen),
                each.detector() == null ? "" : "; by the comparison " + delay(each.detector(), unseen));
    }

    private static String delay(Forecast.Found found, String unseen) {
        double median = found.requests().median();
        if (Double.isInfinite(median)) {
            double some = found.requests().quantile(1);
            return Double.isInfinite(some) ? unseen : "mostly " + unseen;
        }
        double p90 = found.requests().quantile(90);
        return format(
                "after %s (%s)%s",
                count(median, "request"),
                time(found.seconds().median()),
                Double.isInfinite(p90) ? ", 9 of 10 not within what was played" : ", 9 of 10 by " + number(p90));
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

    static String time(Duration duration) {
        return time(seconds(duration));
    }

    /** {@code 1 second}, {@code 3.4 minutes}, {@code 12 h}: what is long is known no better. */
    static String time(double seconds) {
        if (seconds < 59.5) {
            return count(Math.max(1, Math.rint(seconds)), "second");
        }
        double minutes = seconds / 60;
        if (minutes < 119.5 && minutes != 60) {
            return count(minutes < 9.95 ? Math.rint(minutes * 10) / 10 : Math.rint(minutes), "minute");
        }
        double hours = minutes / 60;
        return hours < 47.5 ? number(Math.rint(hours * 10) / 10) + " h" : count(Math.rint(hours / 2.4) / 10, "day");
    }

    private static String percent(Frequency frequency) {
        return format("%s (at most %s)", percent(frequency.rate()), percent(frequency.upper(0.99)));
    }

    /** Two decimals of what is small, without the zeros at the end. */
    static String percent(double share) {
        double scaled = 100 * share;
        String text = format(scaled < 10 ? "%.2f" : "%.0f", scaled);
        return (text.contains(".") ? text.replaceFirst("\\.?0+$", "") : text) + "%";
    }

    private static String count(double value, String what) {
        return number(value) + " " + what + (value == 1 ? "" : "s");
    }

    private static String number(double value) {
        boolean isWhole = value == Math.rint(value) || value >= 100;
        return format(isWhole ? "%,.0f" : "%.1f", value);
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1e3;
    }

    private static String format(String format, @Nullable Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
