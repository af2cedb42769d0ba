package io.sluice.migration.simulation;

import io.sluice.migration.branch.Branch;
import io.sluice.migration.branch.Grant;
import io.sluice.migration.branch.Versioned;

/** What both sides can do: the operations of a shop's inventory. */
interface Stock extends Branch {
    /** Takes so many of a key; the operation's id is the reservation's. */
    Row.Answer reserve(Grant grant, String operationId, int quantity);

    /** Gives a reservation back. */
    Row.Answer release(Grant grant, String operationId, String reservation);

    Versioned<Integer> available(Grant grant);
}
