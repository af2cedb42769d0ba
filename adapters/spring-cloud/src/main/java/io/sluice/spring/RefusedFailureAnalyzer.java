package io.sluice.spring;

import io.sluice.core.problem.RefusedException;
import java.util.stream.Collectors;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Tells the user every refused setting at once, without a stack trace. */
final class RefusedFailureAnalyzer extends AbstractFailureAnalyzer<RefusedException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, RefusedException refused) {
        String problems = refused.problems().stream()
                .map(problem -> "    " + problem)
                .collect(Collectors.joining(System.lineSeparator()));
        return new FailureAnalysis(
                "Sluice was not set up right:" + System.lineSeparator() + System.lineSeparator() + problems,
                "Correct these settings; nothing of Sluice took effect.",
                refused);
    }
}
