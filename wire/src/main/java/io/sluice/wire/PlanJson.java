package io.sluice.wire;

import io.sluice.core.decision.Percent;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.release.Pace;
import io.sluice.core.release.Plan;
import io.sluice.core.release.PlanTemplate;
import io.sluice.core.release.Stage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The plan of a release request: its stages, one by one or from a template, and its pace. */
final class PlanJson {
    private static final long MOST_SAMPLES = 1_000_000_000;
    private static final long MOST_REQUESTS = 10_000_000;

    /** Beyond what a factor may be, so that the template itself says what it may. */
    private static final long MOST_FACTOR = 1_000_000;

    /** A plan that was left out. */
    static final Part USUAL =
            new Part(new PlanTemplate.Canary(PlanTemplate.HOLD, PlanTemplate.HOLD).stages(), Pace.TIME, 0);

    private PlanJson() {}

    /** What stands under {@code plan}; a plan is whole only with its guard, which stands elsewhere in the document. */
    record Part(List<Stage> stages, Pace pace, long requestsPerSecond) {}

    static Part read(Fields in) {
        Read<List<Stage>> stages = in.peek("template") ? readTemplate(in) : readStages(in);
        Read<Pace> pace = in.optional("pace", Pace.TIME, field -> in.word(field, Pace.values(), Pace::label));
        Read<Long> requests = in.optional("requestsPerSecond", 0L, field -> in.whole(field, 1, MOST_REQUESTS));
        return in.end(() -> new Part(stages.get(), pace.get(), requests.get()));
    }

    static void write(ObjectNode out, Plan plan) {
        ArrayNode stages = out.putArray("stages");
        plan.stages().forEach(stage -> writeStage(stages.addObject(), stage));
        out.put("pace", plan.pace().label());
        if (plan.requestsPerSecond() > 0) {
            out.put("requestsPerSecond", plan.requestsPerSecond());
        }
    }

    static void writeStage(ObjectNode out, Stage stage) {
        RuleJson.writePercent(out, stage.percent());
        out.put("hold", DurationText.format(stage.hold()));
        if (stage.samples() > 0) {
            out.put("samples", stage.samples());
        }
    }

    private static Read<List<Stage>> readStages(Fields in) {
        if (in.peek("stages") == in.peek("hold")) {
            in.has("stages");
            in.has("hold");
            in.has("bake");
            in.refuse(in.describeNames(), "must have exactly one of stages, hold and template");
            return Read.refused();
        }
        if (in.peek("hold")) {
            Read<Duration> hold = in.hold("hold");
            return stages(in, canary(in, hold, bake(in, hold)));
        }
        Read<List<Stage>> stages = in.objects("stages", PlanJson::readStage);
        // Looked at here already, so that it is listed beside what is wrong elsewhere.
        Read<List<Stage>> rising = in.all("", () -> Plan.requireRising(stages.get()), stages);
        return in.has("bake") ? baked(in, rising, in.hold("bake")) : rising;
    }

    static Stage readStage(Fields in) {
        Read<Percent> percent = in.percent("percent");
        Read<Duration> hold = in.hold("hold");
        Read<Long> samples = readSamples(in);
        return in.end(() -> new Stage(percent.get(), hold.get(), samples.get()));
    }

    private static Read<List<Stage>> readTemplate(Fields in) {
        Read<String> name = in.text("template");
        Read<PlanTemplate> template =
                switch (name.isThere() ? name.get() : "") {
                    case "canary" -> {
                        Read<Duration> hold = hold(in, PlanTemplate.HOLD);
                        yield canary(in, hold, bake(in, hold));
                    }
                    case "four-phases" -> fourPhases(in);
                    case "fixed" -> fixed(in);
                    case "exponential" -> exponential(in);
                    default -> throw unknownTemplate(name);
                };
        Read<List<Stage>> stages = stages(in, template);
        Read<Long> samples = readSamples(in);
        return in.all("", () -> sampled(stages.get(), samples.get()), stages, samples);
    }

    /** Thrown, since nobody knows what else may stand there. */
    private static RefusedException unknownTemplate(Read<String> name) {
        String was = name.isThere() ? name.get() : "no text";
        return new RefusedException(
                "template", was.isEmpty() ? "empty" : was, "must be one of canary, four-phases, fixed, exponential");
    }

    private static Read<PlanTemplate> canary(Fields in, Read<Duration> hold, Read<Duration> bake) {
        return in.all("", () -> new PlanTemplate.Canary(hold.get(), bake.get()), hold, bake);
    }

    private static Read<PlanTemplate> fourPhases(Fields in) {
        Read<Duration> internal = in.optional("internal", PlanTemplate.FourPhases.INTERNAL, in::hold);
        Read<Duration> cycle = in.optional("cycle", PlanTemplate.FourPhases.CYCLE, in::duration);
        Read<Duration> hold = hold(in, PlanTemplate.FourPhases.WATCH);
        Read<Duration> bake = bake(in, Read.of(PlanTemplate.FourPhases.BAKE));
        return in.all(
                "",
                () -> new PlanTemplate.FourPhases(internal.get(), cycle.get(), hold.get(), bake.get()),
                internal,
                cycle,
                hold,
                bake);
    }

    private static Read<PlanTemplate> fixed(Fields in) {
        Read<Percent> step = in.optional("step", PlanTemplate.Fixed.STEP, in::share);
        Read<Duration> hold = hold(in, PlanTemplate.HOLD);
        Read<Duration> bake = bake(in, hold);
        return in.all("", () -> new PlanTemplate.Fixed(step.get(), hold.get(), bake.get()), step, hold, bake);
    }

    private static Read<PlanTemplate> exponential(Fields in) {
        Read<Percent> first = in.optional("first", PlanTemplate.Exponential.FIRST, in::share);
        Read<Long> factor =
                in.optional("factor", (long) PlanTemplate.Exponential.FACTOR, field -> in.whole(field, MOST_FACTOR));
        Read<Duration> hold = hold(in, PlanTemplate.HOLD);
        Read<Duration> bake = bake(in, hold);
        return in.all(
                "",
                () -> new PlanTemplate.Exponential(first.get(), Math.toIntExact(factor.get()), hold.get(), bake.get()),
                first,
                factor,
                hold,
                bake);
    }

    private static Read<Duration> hold(Fields in, Duration absent) {
        return in.optional("hold", absent, in::hold);
    }

    private static Read<Duration> bake(Fields in, Read<Duration> absent) {
        return in.has("bake") ? in.hold("bake") : absent;
    }

    private static Read<Long> readSamples(Fields in) {
        return in.optional("samples", 0L, field -> in.whole(field, MOST_SAMPLES));
    }

    private static Read<List<Stage>> stages(Fields in, Read<PlanTemplate> template) {
        return in.all("", () -> template.get().stages(), template);
    }

    private static List<Stage> sampled(List<Stage> stages, long samples) {
        return stages.stream()
                .map(stage -> new Stage(stage.percent(), stage.hold(), samples))
                .toList();
    }

    private static Read<List<Stage>> baked(Fields in, Read<List<Stage>> stages, Read<Duration> bake) {
        return in.all(
                "",
                () -> {
                    List<Stage> baked = new ArrayList<>(stages.get());
                    Stage last = baked.remove(baked.size() - 1);
                    baked.add(new Stage(last.percent(), bake.get(), last.samples()));
                    return baked;
                },
                stages,
                bake);
    }
}
