package io.sluice.wire;

import io.sluice.core.decision.Aborted;
import io.sluice.core.decision.Bucketing;
import io.sluice.core.decision.Percent;
import io.sluice.core.decision.Split;
import io.sluice.core.decision.Weighted;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.rule.Channel;
import io.sluice.core.rule.Names;
import io.sluice.core.rule.ReleaseRule;
import io.sluice.core.rule.RuleSet;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The rule set document, as {@code rule-set.schema.json} beside this class describes it. Equal rule sets are written
 * as equal bytes, on one line.
 */
public final class RuleSetJson {
    private static final long FORMAT = 1;
    private static final Duration SLOWER_THAN = Duration.ofSeconds(1);

    private RuleSetJson() {}

    public static byte[] write(RuleSet rules) {
        ObjectNode out = JsonText.newObject();
        out.put("format", FORMAT);
        out.put("epoch", rules.epoch());
        out.put("revision", rules.revision());
        ArrayNode releases = out.putArray("releases");
        rules.releases().forEach(rule -> writeRelease(releases.addObject(), rule));
        if (!rules.channels().isEmpty()) {
            ArrayNode channels = out.putArray("channels");
            rules.channels().forEach(channel -> ChannelJson.write(channels.addObject(), channel));
        }
        return JsonText.write(out);
    }

    /**
     * Reads what a server wrote, perhaps a newer one: unknown fields are passed over. An unknown format or kind of
     * condition is still refused, since rules that are half understood decide wrongly.
     *
     * @throws RefusedException with every problem of the document
     */
    public static RuleSet read(byte[] json) {
        return JsonText.readLenient(json, RuleSetJson::readRuleSet);
    }

    /**
     * Reads what a person wrote: an unknown field is a typing error.
     *
     * @throws RefusedException with every problem of the document
     */
    public static RuleSet readStrict(byte[] json) {
        return JsonText.readStrict(json, RuleSetJson::readRuleSet);
    }

    private static RuleSet readRuleSet(Fields in) {
        Read<Long> format = in.whole("format", Fields.LARGEST_WHOLE);
        if (format.isThere() && format.get() != FORMAT) {
            // Another format may mean anything by the other fields, so they are not looked at.
            throw new RefusedException("format", String.valueOf(format.get()), "must be " + FORMAT);
        }
        Read<Long> epoch = in.optional("epoch", 0L, field -> in.whole(field, Fields.LARGEST_WHOLE));
        Read<Long> revision = in.optional("revision", 0L, field -> in.whole(field, Fields.LARGEST_WHOLE));
        Read<List<ReleaseRule>> releases = in.objects("releases", RuleSetJson::readRelease);
        Read<List<Channel>> channels =
                in.optional("channels", List.of(), field -> in.objects(field, ChannelJson::read));
        return in.end(() -> RuleSet.of(epoch.get(), revision.get(), releases.get(), channels.get()));
    }

    private static ReleaseRule readRelease(Fields in) {
        Read<String> id = in.text("id", Names::requireId);
        Read<String> version = in.text("version", Names::requireVersion);
        Read<List<String>> services = in.texts("services", Names::requireService);
        Read<Bucketing> bucketing = RuleJson.readBucketing(in, id);
        Read<Long> step = in.optional("step", 0L, field -> in.whole(field, Fields.LARGEST_WHOLE));
        Read<Split> split = readSplit(in, bucketing);
        var rules = RuleJson.readRules(in);
        Read<Duration> slowerThan = in.optional("slowerThan", SLOWER_THAN, in::duration);
        boolean hasOverdue = in.has("overdueAfter");
        Read<Duration> overdueAfter = hasOverdue ? in.duration("overdueAfter") : slowerThan;
        return in.end(() -> new ReleaseRule(
                id.get(),
                version.get(),
                services.get(),
                split.get(),
                rules.get(),
                step.get(),
                slowerThan.get(),
                overdueAfter.get()));
    }

    private static Read<Split> readSplit(Fields in, Read<Bucketing> bucketing) {
        Read<List<String>> allow = RuleJson.readAllow(in);
        if (!in.has("aborted")) {
            Read<Percent> percent = in.percent("percent");
            Read<Weighted> live = in.join("", bucketing, percent, (b, p) -> new Weighted(b, p, Set.of()));
            return in.join("", live, allow, (w, a) -> new Weighted(w.bucketing(), w.percent(), Set.copyOf(a)));
        }
        if (in.has("percent")) {
            in.refuse("with percent and aborted", "must have one of the two");
        }
        return in.join("", bucketing, readWhy(in), Aborted::of);
    }

    /** A process takes every abort, whatever its reason is. */
    private static Read<String> readWhy(Fields in) {
        return in.isStrict() ? in.text("aborted", RuleSetJson::requireWhy) : in.text("aborted");
    }

    private static String requireWhy(String why) {
        if (why.isEmpty() || why.chars().anyMatch(c -> Character.isISOControl(c) || c == 0x2028 || c == 0x2029)) {
            throw new RefusedException("", why.isEmpty() ? "empty" : why, "must say why, without control characters");
        }
        return why;
    }

    private static void writeRelease(ObjectNode out, ReleaseRule rule) {
        out.put("id", rule.id());
        out.put("version", rule.version());
        rule.services().forEach(out.putArray("services")::add);
        RuleJson.writeBucketing(out, rule.split().bucketing());
        out.put("step", rule.step());
        if (rule.split() instanceof Aborted aborted) {
            out.put("aborted", aborted.why());
        } else if (rule.split() instanceof Weighted live) {
            RuleJson.writePercent(out, live.percent());
            RuleJson.writeSorted(out.putArray("allow"), live.allow());
        }
        RuleJson.writeRules(out, rule.rules());
        out.put("slowerThan", DurationText.format(rule.slowerThan()));
        if (!rule.overdueAfter().equals(rule.slowerThan())) {
            out.put("overdueAfter", DurationText.format(rule.overdueAfter()));
        }
    }
}
