package io.sluice.wire;

import io.sluice.core.problem.Problems;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What an operator tells a release; which command it is stands in the address.
 *
 * @param why for the journal, at most 500 characters; may be empty where the command needs no reason
 * @param step the step that the operator saw; null to command whatever is there
 * @param phase the word of the phase that the operator saw, like {@code confirming}; null to command whatever is there
 */
public record CommandRequest(
        String why, @Nullable Long step, @Nullable String phase) {
    private static final Pattern WORD = Pattern.compile("[a-z-]{1,32}");

    /** One that was given whatever the phase. */
    public CommandRequest(String why, @Nullable Long step) {
        this(why, step, null);
    }

    public CommandRequest {
        Problems problems = new Problems();
        problems.part("why", () -> ReleaseRequest.requireWhy(why));
        problems.require(step == null || step >= 0, "step", String.valueOf(step), "must not be negative");
        problems.require(
                phase == null || WORD.matcher(phase).matches(),
                "phase",
                "".equals(phase) ? "empty" : String.valueOf(phase),
                "must match " + WORD);
        problems.throwIfAny();
    }
}
