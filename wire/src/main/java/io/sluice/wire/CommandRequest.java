package io.sluice.wire;

import io.sluice.core.problem.Problems;
import org.jspecify.annotations.Nullable;

/**
 * What an operator tells a release; which command it is stands in the address.
 *
 * @param why for the journal, at most 500 characters; may be empty where the command needs no reason
 * @param step the step that the operator saw; null to command whatever is there
 */
public record CommandRequest(String why, @Nullable Long step) {
    public CommandRequest {
        Problems problems = new Problems();
        problems.part("why", () -> ReleaseRequest.requireWhy(why));
        problems.require(step == null || step >= 0, "step", String.valueOf(step), "must not be negative");
        problems.throwIfAny();
    }
}
