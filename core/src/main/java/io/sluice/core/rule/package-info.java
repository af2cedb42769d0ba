/**
 * What should be? The rule set: all releases that processes must know of, whole, revisioned, consistent or refused; and where it comes from.
 * It does not decide when a percentage rises; {@code release} does.
 */
@NullMarked
package io.sluice.core.rule;

import org.jspecify.annotations.NullMarked;
