/**
 * Where does the work go? The fallback ladder from a wanted version to the instances that may serve it.
 * It picks a side, never one instance: balancing among the eligible ones stays with the framework.
 */
@NullMarked
package io.sluice.core.routing;

import org.jspecify.annotations.NullMarked;
