package io.sluice.wire;

import io.sluice.core.rule.Names;
import io.sluice.core.tag.Color;
import io.sluice.core.tag.TrafficTag;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** The body of a report of a process, as it is posted to {@code /api/v1/workloads}. */
public final class WorkloadReportJson {
    private WorkloadReportJson() {}

    public static byte[] write(WorkloadReport report) {
        ObjectNode out = JsonText.newObject();
        out.put("service", report.service());
        out.put("instance", report.instance());
        Color color = report.color();
        if (color != null) {
            out.put("color", color.label());
        }
        out.put("version", report.version());
        out.put("ready", report.ready());
        out.put("registered", report.registered());
        out.put("requests", report.requests());
        out.put("underWay", report.underWay());
        out.put("crossed", report.crossed());
        out.put("epoch", report.epoch());
        out.put("revision", report.revision());
        if (!report.refusal().isEmpty()) {
            out.put("refusal", report.refusal());
        }
        if (report.leaving()) {
            out.put("leaving", true);
        }
        return JsonText.write(out);
    }

    /**
     * Reads a report, perhaps of a newer process: unknown fields are passed over.
     *
     * @throws io.sluice.core.problem.RefusedException with every problem of the document
     */
    public static WorkloadReport read(byte[] json) {
        return JsonText.readLenient(json, WorkloadReportJson::readReport);
    }

    private static WorkloadReport readReport(Fields in) {
        Read<String> service = in.text("service", Names::requireService);
        Read<String> instance = in.text("instance", Names::requireInstance);
        Read<Optional<Color>> color =
                in.optional("color", Optional.empty(), field -> in.text(field, text -> Optional.of(Color.parse(text))));
        Read<String> version = in.text("version", WorkloadReportJson::requireVersion);
        Read<Boolean> ready = in.flag("ready");
        Read<Boolean> registered = in.flag("registered");
        Read<Long> requests = in.whole("requests", Fields.LARGEST_WHOLE);
        Read<Long> underWay = in.whole("underWay", Fields.LARGEST_WHOLE);
        Read<Long> crossed = in.whole("crossed", Fields.LARGEST_WHOLE);
        Read<Long> epoch = in.whole("epoch", Fields.LARGEST_WHOLE);
        Read<Long> revision = in.whole("revision", Fields.LARGEST_WHOLE);
        Read<String> refusal = in.optional("refusal", "", in::text);
        Read<Boolean> leaving = in.optional("leaving", false, in::flag);
        return in.end(() -> new WorkloadReport(
                service.get(),
                instance.get(),
                color.get().orElse(null),
                version.get(),
                ready.get(),
                registered.get(),
                requests.get(),
                underWay.get(),
                crossed.get(),
                epoch.get(),
                revision.get(),
                refusal.get(),
                leaving.get()));
    }

    private static String requireVersion(String version) {
        return version.equals(TrafficTag.STABLE_VERSION) ? version : Names.requireVersion(version);
    }
}
