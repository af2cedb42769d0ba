package io.sluice.migration.routing;

import io.sluice.migration.branch.Branch;
import io.sluice.migration.branch.Grant;

/** A write, as the user's branches know it. Called again on the same or the other side when a fence has refused it. */
@FunctionalInterface
public interface Write<B extends Branch, R> {
    R on(B branch, Grant grant);
}
