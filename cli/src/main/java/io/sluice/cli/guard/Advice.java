package io.sluice.cli.guard;

import io.sluice.core.guard.ErrorRate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What all forecasts come to, in a line or two. */
final class Advice {
    /** More false alarms than this are worth a word. */
    private static final double MANY = 0.02;

    private static final double FEW = 0.01;

    /** What people choose as limits, in millionths. */
    private static final List<Integer> LIMITS = List.of(
            1_000, 2_000, 3_000, 5_000, 10_000, 15_000, 20_000, 30_000, 40_000, 50_000, 70_000, 100_000, 150_000,
            200_000, 300_000, 500_000);

    private Advice() {}

    /** The next hard limit with which under one healthy release in a hundred is taken back; empty when today's is good. */
    static Optional<ErrorRate> otherLimit(List<Forecast> forecasts) {
        if (forecasts.isEmpty() || ForecastText.anyOf(forecasts, Forecast::hardLimit) < MANY) {
            return Optional.empty();
        }
        ErrorRate today = limit(forecasts);
        return LIMITS.stream()
                .filter(ppm -> ppm > today.ppm())
                .map(ErrorRate::new)
                .filter(other -> ForecastText.anyOf(forecasts, forecast -> forecast.hardLimit(other)) < FEW)
                .findFirst();
    }

    static List<String> lines(List<Forecast> forecasts) {
        List<String> lines = new ArrayList<>();
        if (forecasts.isEmpty()) {
            return lines;
        }
        List<String> unjudged = forecasts.stream()
                .map(Forecast::question)
                .filter(question -> !question.isJudged())
                .map(question -> ForecastText.stage(question.number(), question.of()))
                .toList();
        if (!unjudged.isEmpty()) {
            lines.add("cannot be judged within the hold time: " + String.join(", ", unjudged));
        }
        double taken = ForecastText.anyOf(forecasts, Forecast::hardLimit);
        // Nothing is taken back, well or wrongly, before it can be judged.
        if (taken >= MANY || unjudged.isEmpty()) {
            String other = otherLimit(forecasts)
                    .map(limit -> "; at " + limit + " it would be under 1%")
                    .orElse("");
            lines.add("with maxErrorRate " + limit(forecasts) + " " + often(taken) + " taken back by the hard limit"
                    + other);
        }
        comparison(forecasts).ifPresent(lines::add);
        return lines;
    }

    /** About the least bad canary, in the stage that would find it soonest. */
    private static Optional<String> comparison(List<Forecast> forecasts) {
        List<Forecast> compared = forecasts.stream()
                .filter(forecast ->
                        forecast.question().isCompared() && !forecast.breaks().isEmpty())
                .toList();
        if (compared.isEmpty()) {
            return Optional.empty();
        }
        Forecast.Question first = compared.get(0).question();
        String canary = ForecastText.canary(
                compared.get(0).breaks().get(0).errorRate(), first.service().baseError());
        for (Forecast forecast : compared) {
            double seconds = medianSeconds(forecast);
            if (seconds * 1e3 <= forecast.question().hold().toMillis()) {
                String where = first.of() == 1
                        ? ""
                        : " in stage " + forecast.question().number();
                return Optional.of("the comparison finds " + canary + where + ", after " + ForecastText.time(seconds));
            }
        }
        return Optional.of("the comparison cannot find " + canary + " within "
                + (first.of() == 1 ? "the stage" : "any stage") + ": hold it longer");
    }

    private static double medianSeconds(Forecast forecast) {
        Forecast.Found detector = forecast.breaks().get(0).detector();
        return detector == null ? Double.POSITIVE_INFINITY : detector.seconds().median();
    }

    private static ErrorRate limit(List<Forecast> forecasts) {
        return forecasts.get(0).question().guard().limits().maxErrorRate();
    }

    private static String often(double share) {
        if (share < MANY) {
            return "under " + (share < FEW ? "1%" : "2%") + " of healthy releases are";
        }
        long n = Math.round(1 / share);
        return switch ((int) Math.min(n, 5)) {
            case 1 -> "nearly every healthy release is";
            case 2 -> "every second healthy release is";
            case 3 -> "every third healthy release is";
            case 4 -> "every fourth healthy release is";
            default -> "one healthy release in " + n + " is";
        };
    }
}
