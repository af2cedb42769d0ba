/**
 * How do rules come to a process through a config centre that is there already? Follows one document in any centre by one
 * set of rules. What a centre is like is said in a package of its own; what the rules mean is core's.
 */
@NullMarked
package io.sluice.center;

import org.jspecify.annotations.NullMarked;
