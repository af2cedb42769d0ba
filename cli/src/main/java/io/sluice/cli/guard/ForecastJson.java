package io.sluice.cli.guard;

import io.sluice.core.guard.ErrorRate;
import io.sluice.core.simulation.Delays;
import io.sluice.core.simulation.Frequency;
import io.sluice.wire.DurationText;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Forecasts as JSON. Rates are fractions; what was never seen is null. */
final class ForecastJson {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
            .build();

    private ForecastJson() {}

    static String line(Service service, long seed, int runs, List<Forecast> forecasts, List<Idle> idle) {
        ObjectNode out = MAPPER.createObjectNode();
        out.put("seed", seed).put("runs", runs);
        out.put("baseError", number(service.baseError())).put("rps", number(service.requestsPerSecond()));
        if (service.customers() > 0) {
            out.put("customers", service.customers()).put("retries", service.retries());
        } else {
            out.putNull("customers").putNull("retries");
        }
        ObjectNode all = out.putObject("falseAborts");
        all.put("hardLimits", number(ForecastText.anyOf(forecasts, Forecast::hardLimit)));
        all.put("detector", number(ForecastText.anyOf(forecasts, Forecast::detector)));
        Optional<ErrorRate> other = Advice.otherLimit(forecasts);
        out.set(
                "betterMaxErrorRate",
                other.<JsonNode>map(rate -> out.numberNode(new BigDecimal(rate.fraction())))
                        .orElse(out.nullNode()));
        out.putArray("stages");
        forecasts.forEach(forecast -> write(forecast, out.withArray("stages").addObject()));
        ArrayNode notPlayed = out.putArray("notPlayed");
        idle.forEach(each -> write(each, notPlayed.addObject()));
        return MAPPER.writeValueAsString(out);
    }

    private static void write(Forecast forecast, ObjectNode out) {
        Forecast.Question question = forecast.question();
        out.put("stage", question.number());
        out.put("percent", number(question.percent().basisPoints() / 100.0));
        out.put("hold", DurationText.format(question.hold()));
        out.put("played", DurationText.format(forecast.played()));
        out.put("clearance", question.guard().clearance());
        out.put("compared", question.isCompared());
        out.put("lookEvery", DurationText.format(question.step()));
        out.put("canaryRequests", number(question.expected()));
        out.put("needed", question.needed());
        out.put("judged", question.isJudged());
        out.put("moreRequests", Math.max(0, (long) Math.ceil(question.needed() - question.expected())));
        out.put("minutesNeeded", number(question.secondsNeeded() / 60));
        ObjectNode hard = out.putObject("hardLimits");
        hard.put("minSamples", question.guard().limits().minSamples());
        hard.put(
                "maxErrorRate",
                new BigDecimal(question.guard().limits().maxErrorRate().fraction()));
        write(forecast.hardLimit(), hard.putObject("falseAborts"));
        if (forecast.detector() == null) {
            out.putNull("detector");
        } else {
            ObjectNode detector = out.putObject("detector");
            detector.put("alpha", number(question.guard().alpha()));
            write(forecast.detector(), detector.putObject("falseAborts"));
        }
        for (Forecast.Break each : forecast.breaks()) {
            ObjectNode entry = out.withArray("breaks").addObject();
            entry.put("canaryError", number(each.errorRate()));
            entry.put("foundInHold", number(each.inHold().rate()));
            write("hardLimits", each.hardLimit(), entry);
            write("detector", each.detector(), entry);
        }
    }

    private static void write(Idle idle, ObjectNode out) {
        out.put("stage", idle.number());
        out.put("percent", number(idle.stage().percent().basisPoints() / 100.0));
        out.put("hold", DurationText.format(idle.stage().hold()));
        out.put("needed", idle.needed());
        out.put("why", idle.isAllowlist() ? "only the allowlist" : "not held");
    }

    private static void write(Frequency frequency, ObjectNode out) {
        out.put("rate", number(frequency.rate()));
        out.put("upper99", number(frequency.upper(0.99)));
    }

    private static void write(String name, Forecast.@Nullable Found found, ObjectNode out) {
        if (found == null) {
            out.putNull(name);
            return;
        }
        ObjectNode entry = out.putObject(name);
        put("medianRequests", found.requests(), 50, 1, entry);
        put("p90Requests", found.requests(), 90, 1, entry);
        put("medianMinutes", found.seconds(), 50, 60, entry);
        put("p90Minutes", found.seconds(), 90, 60, entry);
    }

    private static void put(String name, Delays delays, int percent, double unit, ObjectNode out) {
        double value = delays.quantile(percent) / unit;
        if (Double.isInfinite(value)) {
            out.putNull(name);
        } else {
            out.put(name, number(value));
        }
    }

    /** Four digits: what is simulated is known no better. */
    private static BigDecimal number(double value) {
        BigDecimal rounded = new BigDecimal(value).round(new MathContext(4, RoundingMode.HALF_UP));
        return rounded.signum() == 0 ? BigDecimal.ZERO : rounded.stripTrailingZeros();
    }
}
