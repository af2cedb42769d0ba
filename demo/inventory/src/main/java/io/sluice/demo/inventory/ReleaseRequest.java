package io.sluice.demo.inventory;

import io.sluice.core.problem.Problems;

/**
 * A reservation that is given back.
 *
 * @param releaseId the id of the operation, chosen by the caller: sent again it happens once. 1..255 characters, not starting
 *     with the mark {@code nv-}; never the id of a reservation
 * @param reservationId which one: as it was sent, or as it was answered, with its mark
 */
public record ReleaseRequest(String releaseId, String reservationId) {
    /** @throws io.sluice.core.problem.RefusedException with every problem; nothing has happened then */
    public ReleaseRequest {
        Problems problems = new Problems();
        Ids.requireUnmarked("releaseId", releaseId, problems);
        Ids.requireMarkedOrNot("reservationId", reservationId, problems);
        problems.throwIfAny();
    }
}
