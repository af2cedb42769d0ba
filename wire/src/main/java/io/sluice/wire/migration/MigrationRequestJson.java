package io.sluice.wire.migration;

import io.sluice.wire.Fields;
import io.sluice.wire.JsonText;
import io.sluice.wire.Read;
import tools.jackson.databind.node.ObjectNode;

/** The body of such a request: {@code {"name":"inventory","why":"..."}}. */
public final class MigrationRequestJson {
    private MigrationRequestJson() {}

    public static byte[] write(MigrationRequest request) {
        ObjectNode out = JsonText.newObject();
        out.put("name", request.name()).put("why", request.why());
        return JsonText.write(out);
    }

    /**
     * Reads a request.
     *
     * @throws io.sluice.core.problem.RefusedException with every problem of the document
     */
    public static MigrationRequest readStrict(byte[] json) {
        return JsonText.readStrict(json, MigrationRequestJson::readRequest);
    }

    private static MigrationRequest readRequest(Fields in) {
        Read<String> name = in.text("name");
        Read<String> why = in.optional("why", "", in::text);
        return in.end(() -> new MigrationRequest(name.get(), why.get()));
    }
}
