package io.sluice.core.problem;

import java.util.List;
import java.util.stream.Collectors;

/** Something that was set up is refused as a whole: nothing of it took effect. Carries every problem, at least one. */
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private static final int MOST_IN_MESSAGE = 20;

    private final transient List<Problem> problems;

    public RefusedException(List<Problem> problems) {
        super(message(problems));
        this.problems = List.copyOf(problems);
    }

    public RefusedException(String path, String was, String allowed) {
        this(List.of(new Problem(path, was, allowed)));
    }

    /** Every problem, in the order found. */
    public List<Problem> problems() {
        return problems;
    }

    /** A message ends up in one line of a log; the whole list is in {@link #problems()}. */
    private static String message(List<Problem> problems) {
        String first =
                problems.stream().limit(MOST_IN_MESSAGE).map(Problem::toString).collect(Collectors.joining("; "));
        int more = problems.size() - MOST_IN_MESSAGE;
        return more > 0 ? first + "; and " + more + " more" : first;
    }
}
