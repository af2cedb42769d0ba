package io.sluice.wire;

import io.sluice.core.decision.Bucketing;
import io.sluice.core.decision.Percent;
import io.sluice.core.guard.ErrorRate;
import io.sluice.core.guard.Thresholds;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.release.Plan;
import io.sluice.core.release.ReleaseSpec;
import io.sluice.core.release.Stage;
import io.sluice.core.rule.Names;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The release request, as {@code release.schema.json} beside this class describes it. */
public final class ReleaseSpecJson {
    private static final Duration HOLD = Duration.ofMinutes(10);
    private static final long MOST_SAMPLES = 1_000_000_000;

    private ReleaseSpecJson() {}

    public static byte[] write(ReleaseSpec spec) {
        return JsonText.write(tree(spec));
    }

    public static byte[] write(ReleaseRequest request) {
        return JsonText.write(tree(request.spec()).put("why", request.why()));
    }

    /**
     * Reads what was asked for, without its why.
     *
     * @throws RefusedException with every problem of the document
     */
    public static ReleaseSpec readStrict(byte[] json) {
        return readRequest(json).spec();
    }

    /**
     * Reads what was asked for and why.
     *
     * @throws RefusedException with every problem of the document
     */
    public static ReleaseRequest readRequest(byte[] json) {
        return JsonText.readStrict(json, ReleaseSpecJson::readRequest);
    }

    private static ReleaseRequest readRequest(Fields in) {
        Read<String> id = in.text("id", Names::requireId);
        Read<String> version = in.text("version", Names::requireVersion);
        Read<List<String>> services = in.texts("services", Names::requireService);
        Read<Bucketing> bucketing = RuleJson.readBucketing(in, id);
        Read<List<String>> allow = RuleJson.readAllow(in);
        var rules = RuleJson.readRules(in);
        Read<Function<Thresholds, Plan>> stages = in.optional(
                "plan", limits -> Plan.canary(HOLD, limits), field -> in.object(field, ReleaseSpecJson::readPlan));
        Read<Thresholds> guard = in.object("guard", ReleaseSpecJson::readGuard);
        Read<Plan> plan = in.join("plan", stages, guard, Function::apply);
        Read<String> why = in.optional("why", "", field -> in.text(field, ReleaseRequest::requireWhy));
        return in.end(() -> new ReleaseRequest(
                new ReleaseSpec(
                        id.get(),
                        version.get(),
                        services.get(),
                        bucketing.get(),
                        Set.copyOf(allow.get()),
                        rules.get(),
                        plan.get()),
                why.get()));
    }

    /** A plan is whole only with its limits, which stand elsewhere in the document. */
    private static Function<Thresholds, Plan> readPlan(Fields in) {
        if (in.has("stages") == in.has("hold")) {
            in.refuse(in.describeNames(), "must have either stages or hold");
        }
        if (in.has("stages")) {
            Read<List<Stage>> stages = in.objects("stages", ReleaseSpecJson::readStage);
            return in.end(() -> limits -> new Plan(stages.get(), limits));
        }
        Read<Duration> hold = in.optional("hold", HOLD, in::duration);
        return in.end(() -> limits -> Plan.canary(hold.get(), limits));
    }

    private static Stage readStage(Fields in) {
        Read<Percent> percent = in.percent("percent");
        Read<Duration> hold = in.duration("hold");
        return in.end(() -> new Stage(percent.get(), hold.get()));
    }

    private static Thresholds readGuard(Fields in) {
        Read<Long> minSamples = in.whole("minSamples", MOST_SAMPLES);
        Read<ErrorRate> maxErrorRate = in.errorRate("maxErrorRate");
        Read<Duration> maxP99 = in.duration("maxP99");
        Read<Duration> maxSilence = in.optional("maxSilence", Thresholds.DEFAULT_SILENCE, in::duration);
        return in.end(() -> new Thresholds(minSamples.get(), maxErrorRate.get(), maxP99.get(), maxSilence.get()));
    }

    private static ObjectNode tree(ReleaseSpec spec) {
        ObjectNode out = JsonText.newObject();
        out.put("id", spec.id());
        out.put("version", spec.version());
        spec.services().forEach(out.putArray("services")::add);
        RuleJson.writeBucketing(out, spec.bucketing());
        RuleJson.writeSorted(out.putArray("allow"), spec.allow());
        RuleJson.writeRules(out, spec.rules());
        ArrayNode stages = out.putObject("plan").putArray("stages");
        for (Stage stage : spec.plan().stages()) {
            ObjectNode entry = stages.addObject();
            RuleJson.writePercent(entry, stage.percent());
            entry.put("hold", DurationText.format(stage.hold()));
        }
        Thresholds limits = spec.plan().limits();
        out.putObject("guard")
                .put("minSamples", limits.minSamples())
                .put("maxErrorRate", new BigDecimal(limits.maxErrorRate().fraction()))
                .put("maxP99", DurationText.format(limits.maxP99()))
                .put("maxSilence", DurationText.format(limits.maxSilence()));
        return out;
    }
}
