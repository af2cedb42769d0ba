package io.sluice.wire;

import io.sluice.core.rule.Names;
import io.sluice.core.tag.Color;
import tools.jackson.databind.node.ObjectNode;

/** The body of a request to scale: {@code {"service":"order","color":"blue","instances":4,"why":"..."}}. */
public final class ScaleRequestJson {
    private static final String MANUAL = "manual";
    private static final long MOST_INSTANCES = 1000;

    private ScaleRequestJson() {}

    public static byte[] write(ScaleRequest request) {
        ObjectNode out = JsonText.newObject();
        out.put("service", request.service())
                .put("color", request.color().label())
                .put("instances", request.instances())
                .put("version", request.version())
                .put("deployer", request.deployer())
                .put("why", request.why())
                .put("override", request.override());
        return JsonText.write(out);
    }

    /**
     * Reads a request.
     *
     * @throws io.sluice.core.problem.RefusedException with every problem of the document
     */
    public static ScaleRequest readStrict(byte[] json) {
        return JsonText.readStrict(json, ScaleRequestJson::readRequest);
    }

    private static ScaleRequest readRequest(Fields in) {
        Read<String> service = in.text("service", Names::requireService);
        Read<Color> color = in.text("color", Color::parse);
        Read<Long> instances = in.whole("instances", MOST_INSTANCES);
        Read<String> version = in.optional(
                "version", "", field -> in.text(field, text -> text.isEmpty() ? text : Names.requireVersion(text)));
        Read<String> deployer = in.optional("deployer", MANUAL, field -> in.text(field, Names::requireId));
        Read<String> why = in.optional("why", "", field -> in.text(field, ReleaseRequest::requireWhy));
        Read<Boolean> override = in.optional("override", false, in::flag);
        return in.end(() -> new ScaleRequest(
                service.get(),
                color.get(),
                Math.toIntExact(instances.get()),
                version.get(),
                deployer.get(),
                why.get(),
                override.get()));
    }
}
