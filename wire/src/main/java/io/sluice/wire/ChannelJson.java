package io.sluice.wire;

import io.sluice.core.decision.Percent;
import io.sluice.core.rule.Channel;
import io.sluice.core.rule.Flow;
import io.sluice.core.rule.Names;
import io.sluice.core.rule.Renewal;
import io.sluice.core.tag.Color;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/** A channel in the rule set document. */
final class ChannelJson {
    private ChannelJson() {}

    static Channel read(Fields in) {
        Read<String> id = in.text("id", Names::requireId);
        Read<List<String>> services = in.texts("services", Names::requireService);
        Read<List<String>> resting =
                in.optional("resting", List.of(), field -> in.texts(field, Names::requireInstance));
        Read<Optional<Flow>> flow = in.optional("flow", Optional.empty(), field -> {
            Read<Flow> read = in.object(field, ChannelJson::readFlow);
            return read.isThere() ? Read.of(Optional.of(read.get())) : Read.refused();
        });
        Read<Optional<Renewal>> renewal = in.optional("renewal", Optional.empty(), field -> {
            Read<Renewal> read = in.object(field, ChannelJson::readRenewal);
            return read.isThere() ? Read.of(Optional.of(read.get())) : Read.refused();
        });
        return in.end(() -> new Channel(
                id.get(),
                services.get(),
                flow.get().orElse(null),
                Set.copyOf(resting.get()),
                renewal.get().orElse(null)));
    }

    private static Renewal readRenewal(Fields in) {
        Read<String> release = in.text("release", Names::requireId);
        Read<String> version = in.text("version", Names::requireVersion);
        Read<Long> step = in.whole("step", Fields.LARGEST_WHOLE);
        Read<Duration> slowerThan = in.duration("slowerThan");
        Read<Duration> overdueAfter = in.has("overdueAfter") ? in.duration("overdueAfter") : slowerThan;
        return in.end(
                () -> new Renewal(release.get(), version.get(), step.get(), slowerThan.get(), overdueAfter.get()));
    }

    private static Flow readFlow(Fields in) {
        Read<String> release = in.text("release", Names::requireId);
        Read<String> version = in.text("version", Names::requireVersion);
        Read<Color> admitted = in.text("admitted", Color::parse);
        Read<Percent> blue = in.percent("bluePercent");
        Read<Optional<Color>> closed = in.optional(
                "closed", Optional.empty(), field -> in.text(field, text -> Optional.of(Color.parse(text))));
        Read<Long> step = in.whole("step", Fields.LARGEST_WHOLE);
        Read<Duration> slowerThan = in.duration("slowerThan");
        Read<Duration> overdueAfter = in.has("overdueAfter") ? in.duration("overdueAfter") : slowerThan;
        return in.end(() -> new Flow(
                release.get(),
                version.get(),
                admitted.get(),
                blue.get(),
                closed.get().orElse(null),
                step.get(),
                slowerThan.get(),
                overdueAfter.get()));
    }

    static void write(ObjectNode out, Channel channel) {
        out.put("id", channel.id());
        channel.services().forEach(out.putArray("services")::add);
        Flow flow = channel.flow();
        if (flow != null) {
            writeFlow(out.putObject("flow"), flow);
        }
        if (!channel.resting().isEmpty()) {
            RuleJson.writeSorted(out.putArray("resting"), channel.resting());
        }
        Renewal renewal = channel.renewal();
        if (renewal != null) {
            out.putObject("renewal")
                    .put("release", renewal.release())
                    .put("version", renewal.version())
                    .put("step", renewal.step())
                    .put("slowerThan", DurationText.format(renewal.slowerThan()))
                    .put("overdueAfter", DurationText.format(renewal.overdueAfter()));
        }
    }

    private static void writeFlow(ObjectNode out, Flow flow) {
        out.put("release", flow.release());
        out.put("version", flow.version());
        out.put("admitted", flow.admitted().label());
        RuleJson.writePercent(out, "bluePercent", flow.blue());
        Color closed = flow.closed();
        if (closed != null) {
            out.put("closed", closed.label());
        }
        out.put("step", flow.step());
        out.put("slowerThan", DurationText.format(flow.slowerThan()));
        out.put("overdueAfter", DurationText.format(flow.overdueAfter()));
    }
}
