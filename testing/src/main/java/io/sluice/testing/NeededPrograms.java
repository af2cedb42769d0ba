package io.sluice.testing;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** Skips a test whose programs are missing, or fails it where every test is required. */
final class NeededPrograms implements ExecutionCondition {
    private final boolean isEveryTestRequired;

    NeededPrograms() {
        this("true".equals(System.getenv("SLUICE_REQUIRE_ALL_TESTS")));
    }

    NeededPrograms(boolean isEveryTestRequired) {
        this.isEveryTestRequired = isEveryTestRequired;
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return AnnotationSupport.findAnnotation(context.getElement(), NeedsProgram.class)
                .map(this::evaluate)
                .orElseGet(() -> ConditionEvaluationResult.enabled("needs no program"));
    }

    ConditionEvaluationResult evaluate(NeedsProgram needed) {
        List<String> missing = Stream.of(needed.value())
                .filter(program -> !Files.isExecutable(Path.of(program)))
                .toList();
        if (missing.isEmpty()) {
            return ConditionEvaluationResult.enabled("has its programs");
        }
        String reason = "missing " + String.join(" and ", missing) + "; install with: " + needed.install();
        if (isEveryTestRequired) {
            throw new AssertionError(reason);
        }
        return ConditionEvaluationResult.disabled(reason);
    }
}
