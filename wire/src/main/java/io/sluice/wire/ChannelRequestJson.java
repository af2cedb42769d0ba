package io.sluice.wire;

import io.sluice.core.rule.Channel;
import io.sluice.core.rule.Names;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** The body of a request for a channel: {@code {"id":"trade","services":["inventory","order"],"why":"..."}}. */
public final class ChannelRequestJson {
    private ChannelRequestJson() {}

    public static byte[] write(ChannelRequest request) {
        ObjectNode out = JsonText.newObject();
        out.put("id", request.channel().id());
        request.channel().services().forEach(out.putArray("services")::add);
        return JsonText.write(out.put("why", request.why()));
    }

    /**
     * Reads a request.
     *
     * @throws io.sluice.core.problem.RefusedException with every problem of the document
     */
    public static ChannelRequest readStrict(byte[] json) {
        return JsonText.readStrict(json, ChannelRequestJson::readRequest);
    }

    private static ChannelRequest readRequest(Fields in) {
        Read<String> id = in.text("id", Names::requireId);
        Read<List<String>> services = in.texts("services", Names::requireService);
        // As the channel itself does, but beside whatever else is wrong.
        in.all("", () -> Channel.requireServices(services.get()), services);
        Read<String> why = in.optional("why", "", field -> in.text(field, ReleaseRequest::requireWhy));
        return in.end(() -> new ChannelRequest(Channel.of(id.get(), services.get()), why.get()));
    }
}
