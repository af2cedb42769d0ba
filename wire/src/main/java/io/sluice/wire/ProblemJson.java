package io.sluice.wire;

import io.sluice.core.problem.Problem;
import io.sluice.core.problem.RefusedException;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The problem shape of the HTTP API (RFC 9457, with the list of problems as its extension). */
public final class ProblemJson {
    public static final String MEDIA_TYPE = "application/problem+json";

    private static final long LARGEST_STATUS = 599;

    private ProblemJson() {}

    public static byte[] write(ProblemReport report) {
        ObjectNode out = JsonText.newObject();
        out.put("title", report.title());
        out.put("status", report.status());
        out.put("detail", report.detail());
        ArrayNode problems = out.putArray("problems");
        for (Problem problem : report.problems()) {
            problems.addObject()
                    .put("path", problem.path())
                    .put("was", problem.was())
                    .put("allowed", problem.allowed());
        }
        return JsonText.write(out);
    }

    /**
     * Reads a report.
     *
     * @throws RefusedException when it is something else, as the error page of a proxy is
     */
    public static ProblemReport read(byte[] json) {
        return JsonText.readLenient(json, ProblemJson::readReport);
    }

    private static ProblemReport readReport(Fields in) {
        Read<String> title = in.text("title");
        Read<Long> status = in.whole("status", LARGEST_STATUS);
        Read<String> detail = in.optional("detail", "", in::text);
        Read<List<Problem>> problems =
                in.optional("problems", List.of(), field -> in.objects(field, ProblemJson::readProblem));
        return in.end(() -> new ProblemReport(status.get().intValue(), title.get(), detail.get(), problems.get()));
    }

    private static Problem readProblem(Fields in) {
        Read<String> path = in.text("path");
        Read<String> was = in.text("was");
        Read<String> allowed = in.text("allowed");
        return in.end(() -> new Problem(path.get(), was.get(), allowed.get()));
    }
}
