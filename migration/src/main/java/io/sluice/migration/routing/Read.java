package io.sluice.migration.routing;

import io.sluice.migration.branch.Branch;
import io.sluice.migration.branch.Grant;
import io.sluice.migration.branch.Versioned;

/** A read, as the user's branches know it. Must change nothing: it is also tried on the side that does not own the key. */
@FunctionalInterface
public interface Read<B extends Branch, R> {
    Versioned<R> on(B branch, Grant grant);
}
