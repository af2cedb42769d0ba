package io.sluice.wire;

import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** The body of a command to a release: {@code {"why":"...","step":3,"phase":"ramping"}}, all of which may be left out. */
public final class CommandRequestJson {
    private CommandRequestJson() {}

    public static byte[] write(CommandRequest request) {
        ObjectNode out = JsonText.newObject();
        out.put("why", request.why());
        if (request.step() != null) {
            out.put("step", request.step());
        }
        if (request.phase() != null) {
            out.put("phase", request.phase());
        }
        return JsonText.write(out);
    }

    /**
     * Reads a command.
     *
     * @throws io.sluice.core.problem.RefusedException with every problem of the document
     */
    public static CommandRequest readStrict(byte[] json) {
        return JsonText.readStrict(json, CommandRequestJson::readRequest);
    }

    private static CommandRequest readRequest(Fields in) {
        Read<String> why = in.optional("why", "", field -> in.text(field, ReleaseRequest::requireWhy));
        Read<Optional<Long>> step = in.optional("step", Optional.empty(), field -> readStep(in, field));
        Read<Optional<String>> phase = in.optional("phase", Optional.empty(), field -> readPhase(in, field));
        return in.end(() -> new CommandRequest(
                why.get(), step.get().orElse(null), phase.get().orElse(null)));
    }

    private static Read<Optional<String>> readPhase(Fields in, String field) {
        Read<String> phase = in.text(field);
        return phase.isThere() ? Read.of(Optional.of(phase.get())) : Read.refused();
    }

    private static Read<Optional<Long>> readStep(Fields in, String field) {
        Read<Long> step = in.whole(field, Fields.LARGEST_WHOLE);
        return step.isThere() ? Read.of(Optional.of(step.get())) : Read.refused();
    }
}
