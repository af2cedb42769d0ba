package io.sluice.wire;

import io.sluice.core.problem.Problem;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The body of every answer that is an error.
 *
 * @param status the HTTP status, repeated
 * @param title the class of error in a few words
 * @param detail what happened, for people
 * @param problems what has to be changed, if it is known
 */
public record ProblemReport(int status, String title, String detail, List<Problem> problems) {
    public ProblemReport {
        problems = List.copyOf(problems);
    }

    /** A report whose detail is the problems, each in its text form. */
    public static ProblemReport of(int status, String title, List<Problem> problems) {
        String detail = problems.stream().map(Problem::toString).collect(Collectors.joining("; "));
        return new ProblemReport(status, title, detail, problems);
    }
}
