package io.sluice.wire;

import io.sluice.core.channel.BatchGuard;
import io.sluice.core.channel.ChannelReleaseSpec;
import io.sluice.core.channel.Check;
import io.sluice.core.channel.Strategy;
import io.sluice.core.channel.Waits;
import io.sluice.core.decision.Percent;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.release.Plan;
import io.sluice.core.release.Stage;
import io.sluice.core.rule.Names;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The request for a release of a channel, as {@code channel-release.schema.json} beside this class describes it. */
public final class ChannelReleaseSpecJson {
    /** Who deploys unless somebody is named: a human. */
    private static final String MANUAL = "manual";

    private static final List<Stage> USUAL_GREEN =
            List.of(new Stage(Percent.of(10), Duration.ofMinutes(1), 0), new Stage(Percent.of(50), Duration.ZERO, 0));
    private static final Duration USUAL_BETWEEN = Duration.ofSeconds(30);
    private static final long MOST_EXTRA = 1000;
    private static final long MOST_BATCHES = 100;

    private ChannelReleaseSpecJson() {}

    /** Whether a document, which may be no good otherwise, asks for a release of a channel. */
    public static boolean isMeant(byte[] json) {
        return JsonText.readLenient(json, in -> in.isOther("strategy", "canary"));
    }

    /** As {@link #readSpec} reads it, the services included. */
    public static byte[] write(ChannelReleaseSpec spec) {
        return JsonText.write(tree(spec));
    }

    /**
     * Reads what was asked for and why.
     *
     * @throws RefusedException with every problem of the document
     */
    public static ChannelReleaseRequest readRequest(byte[] json) {
        return JsonText.readStrict(json, in -> read(in, request -> request));
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @throws RefusedException with every problem of the document
     */
    public static ChannelReleaseSpec readSpec(byte[] json) {
        return JsonText.readStrict(json, in -> {
            Read<List<String>> services = in.texts("services", Names::requireService);
            return read(in, request -> request.spec(services.get()));
        });
    }

    private static <T> T read(Fields in, Function<ChannelReleaseRequest, T> result) {
        Read<String> word = in.text("strategy");
        Read<Strategy> strategy =
                switch (word.or("")) {
                    case "blue-green" -> readBlueGreen(in);
                    case "rolling" -> readRolling(in);
                    default -> throw unknownStrategy(word);
                };
        Read<String> id = in.text("id", Names::requireId);
        Read<String> channel = in.text("channel", Names::requireId);
        Read<String> version = in.text("version", Names::requireVersion);
        Read<String> deployer = in.optional("deployer", MANUAL, field -> in.text(field, Names::requireId));
        Read<Check> check =
                in.optional("check", Check.MANUAL, field -> in.text(field, text -> new Check(requireUrl(text))));
        Read<Waits> waits =
                in.optional("waits", Waits.DEFAULT, field -> in.object(field, ChannelReleaseSpecJson::readWaits));
        Read<String> why = in.optional("why", "", field -> in.text(field, ReleaseRequest::requireWhy));
        return in.end(() -> result.apply(new ChannelReleaseRequest(
                id.get(),
                channel.get(),
                version.get(),
                strategy.get(),
                deployer.get(),
                check.get(),
                waits.get(),
                why.get())));
    }

    /** Thrown, since nobody knows what else may stand there. */
    private static RefusedException unknownStrategy(Read<String> word) {
        String was = word.or("no text");
        return new RefusedException(
                "strategy", was.isEmpty() ? "empty" : was, "must be one of canary, blue-green, rolling");
    }

    private static Read<Strategy> readBlueGreen(Fields in) {
        Read<PlanJson.Part> course = in.optional("plan", PlanJson.USUAL, field -> in.object(field, PlanJson::read));
        Read<GuardJson.Part> guard = in.object("guard", GuardJson::read);
        Read<Plan> plan = in.join(
                ReleaseSpecJson::whole,
                course,
                guard,
                (part, judged) -> ReleaseSpecJson.plan(part, judged, part.requestsPerSecond()));
        Read<Boolean> bare = in.all("guard.metrics", () -> requireNoMetrics(guard.get()), guard);
        Read<List<Stage>> green = in.optional("green", USUAL_GREEN, field -> in.objects(field, PlanJson::readStage));
        Read<Map<String, Long>> extra =
                in.optional("extra", Map.of(), field -> in.counts(field, Names::requireService, 1, MOST_EXTRA));
        return in.all(
                "",
                () -> new Strategy.BlueGreen(plan.get(), green.get(), whole(extra.get())),
                plan,
                bare,
                green,
                extra);
    }

    /** No look at them is made for a release of a channel yet, and one that is not looked at must not seem to watch. */
    private static boolean requireNoMetrics(GuardJson.Part guard) {
        if (!guard.metrics().isEmpty()) {
            throw new RefusedException(
                    "", guard.metrics().size() + " metrics", "must be empty for a release of a channel");
        }
        return true;
    }

    private static Map<String, Integer> whole(Map<String, Long> counts) {
        return counts.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> Math.toIntExact(entry.getValue())));
    }

    private static Read<Strategy> readRolling(Fields in) {
        Read<Long> batches = in.whole("batches", 2, MOST_BATCHES);
        Read<Duration> between = in.optional("between", USUAL_BETWEEN, in::hold);
        Read<Optional<BatchGuard>> guard = in.optional("guard", Optional.empty(), field -> {
            Read<BatchGuard> read = in.object(field, BatchGuardJson::read);
            return read.isThere() ? Read.of(Optional.of(read.get())) : Read.refused();
        });
        return in.all(
                "",
                () -> new Strategy.Rolling(
                        Math.toIntExact(batches.get()),
                        between.get(),
                        guard.get().orElse(null)),
                batches,
                between,
                guard);
    }

    private static Waits readWaits(Fields in) {
        Waits usual = Waits.DEFAULT;
        Read<Duration> grace = in.optional("grace", usual.grace(), in::duration);
        Read<Duration> quiet = in.optional("quiet", usual.quiet(), in::duration);
        Read<Duration> spread = in.optional("spread", usual.spread(), in::duration);
        Read<Duration> deployWithin = in.optional("deployWithin", usual.deployWithin(), in::duration);
        Read<Waits> waits = in.together(
                "",
                () -> new Waits(
                        grace.or(usual.grace()),
                        quiet.or(usual.quiet()),
                        spread.or(usual.spread()),
                        deployWithin.or(usual.deployWithin())),
                grace,
                quiet,
                spread,
                deployWithin);
        return in.end(waits::get);
    }

    private static URI requireUrl(String text) {
        try {
            URI uri = new URI(text);
            boolean isWeb = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            if (isWeb && uri.getHost() != null && uri.getRawUserInfo() == null && uri.getRawFragment() == null) {
                return uri;
            }
        } catch (URISyntaxException noAddress) {
            // Said below.
        }
        // What stands before an @ may be a password, which is not repeated.
        String shown = text.replaceFirst("^([a-z]*:?//)?[^/]*@", "$1...@");
        throw new RefusedException(
                "",
                shown.isEmpty() ? "empty" : shown,
                "must be like http://host:8080/actuator/health, without a user or a fragment");
    }

    private static ObjectNode tree(ChannelReleaseSpec spec) {
        ObjectNode out = JsonText.newObject();
        out.put("strategy", spec.strategy().label());
        out.put("id", spec.id());
        out.put("channel", spec.channel());
        spec.services().forEach(out.putArray("services")::add);
        out.put("version", spec.version());
        out.put("deployer", spec.deployer());
        if (!spec.check().isManual()) {
            out.put("check", Objects.requireNonNull(spec.check().url()).toString());
        }
        Waits waits = spec.waits();
        out.putObject("waits")
                .put("grace", DurationText.format(waits.grace()))
                .put("quiet", DurationText.format(waits.quiet()))
                .put("spread", DurationText.format(waits.spread()))
                .put("deployWithin", DurationText.format(waits.deployWithin()));
        if (spec.strategy() instanceof Strategy.BlueGreen blueGreen) {
            writeBlueGreen(out, blueGreen);
        } else if (spec.strategy() instanceof Strategy.Rolling rolling) {
            out.put("batches", rolling.batches()).put("between", DurationText.format(rolling.between()));
            BatchGuard guard = rolling.guard();
            if (guard != null) {
                BatchGuardJson.write(out.putObject("guard"), guard);
            }
        }
        return out;
    }

    private static void writeBlueGreen(ObjectNode out, Strategy.BlueGreen strategy) {
        PlanJson.write(out.putObject("plan"), strategy.plan());
        GuardJson.write(out.putObject("guard"), strategy.plan());
        ArrayNode green = out.putArray("green");
        strategy.green().forEach(stage -> PlanJson.writeStage(green.addObject(), stage));
        ObjectNode extra = out.putObject("extra");
        strategy.extra().forEach(extra::put);
    }
}
