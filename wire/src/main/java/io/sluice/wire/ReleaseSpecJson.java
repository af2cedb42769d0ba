package io.sluice.wire;

import io.sluice.core.decision.Bucketing;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.release.Plan;
import io.sluice.core.release.ReleaseSpec;
import io.sluice.core.rule.Names;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import tools.jackson.databind.node.ObjectNode;

/** The release request, as {@code release.schema.json} beside this class describes it. */
public final class ReleaseSpecJson {
    private static final String CANARY = "canary";

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

    /**
     * Reads what was asked for as if it did not say how many requests come, so that no stage is refused for being too
     * short: for those who answer how long it must be.
     *
     * @throws RefusedException with every other problem of the document
     */
    public static ReleaseDraft readDraft(byte[] json) {
        return JsonText.readStrict(json, ReleaseSpecJson::readDraft);
    }

    private static ReleaseRequest readRequest(Fields in) {
        return read(in, true, (request, requestsPerSecond) -> request);
    }

    private static ReleaseDraft readDraft(Fields in) {
        return read(in, false, (request, requestsPerSecond) -> new ReleaseDraft(request.spec(), requestsPerSecond));
    }

    private static <T> T read(Fields in, boolean isHeldLongEnough, BiFunction<ReleaseRequest, Long, T> result) {
        Read<String> id = in.text("id", Names::requireId);
        Read<String> version = in.text("version", Names::requireVersion);
        in.optional("strategy", CANARY, field -> in.word(field, new String[] {CANARY}, word -> word));
        Read<List<String>> services = in.texts("services", Names::requireService);
        Read<Bucketing> bucketing = RuleJson.readBucketing(in, id);
        Read<List<String>> allow = RuleJson.readAllow(in);
        var rules = RuleJson.readRules(in);
        Read<PlanJson.Part> course = in.optional("plan", PlanJson.USUAL, field -> in.object(field, PlanJson::read));
        Read<GuardJson.Part> guard = in.object("guard", GuardJson::read);
        Read<Plan> plan = in.join(
                ReleaseSpecJson::whole,
                course,
                guard,
                (part, judged) -> plan(part, judged, isHeldLongEnough ? part.requestsPerSecond() : 0));
        // As the specification itself does, but beside whatever else is wrong.
        in.all(
                "",
                () -> ReleaseSpec.requireSomebody(course.get().stages(), allow.get(), rules.get()),
                course,
                allow,
                rules);
        Read<String> why = in.optional("why", "", field -> in.text(field, ReleaseRequest::requireWhy));
        return in.end(() -> result.apply(
                new ReleaseRequest(
                        new ReleaseSpec(
                                id.get(),
                                version.get(),
                                services.get(),
                                bucketing.get(),
                                Set.copyOf(allow.get()),
                                rules.get(),
                                plan.get()),
                        why.get()),
                course.get().requestsPerSecond()));
    }

    static Plan plan(PlanJson.Part course, GuardJson.Part guard, long requestsPerSecond) {
        return new Plan(
                course.stages(),
                guard.limits(),
                guard.baseline(),
                guard.metrics(),
                guard.policy(),
                course.pace(),
                requestsPerSecond);
    }

    /** Where the parts of a plan stand in the document. */
    static String whole(String path) {
        return (path.startsWith("metrics") || path.startsWith("baseline") ? "guard." : "plan.") + path;
    }

    private static ObjectNode tree(ReleaseSpec spec) {
        ObjectNode out = JsonText.newObject();
        out.put("id", spec.id());
        out.put("version", spec.version());
        spec.services().forEach(out.putArray("services")::add);
        RuleJson.writeBucketing(out, spec.bucketing());
        RuleJson.writeSorted(out.putArray("allow"), spec.allow());
        RuleJson.writeRules(out, spec.rules());
        PlanJson.write(out.putObject("plan"), spec.plan());
        GuardJson.write(out.putObject("guard"), spec.plan());
        return out;
    }
}
