package io.sluice.core.problem;

import java.util.List;
import java.util.stream.Collectors;

/** Something that was set up is refused as a whole: nothing of it took effect. Carries every problem, at least one. */
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<Problem> problems;

    public RefusedException(List<Problem> problems) {
        super(problems.stream().map(Problem::toString).collect(Collectors.joining("; ")));
        this.problems = List.copyOf(problems);
    }

    public RefusedException(String path, String was, String allowed) {
        this(List.of(new Problem(path, was, allowed)));
    }

    public List<Problem> problems() {
        return problems;
    }
}
