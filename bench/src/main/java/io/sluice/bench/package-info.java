/**
 * What does a decision cost, and taking note of how it went? Ratios of candidates that ran side by side, and the goals
 * that they must meet.
 * That measures core alone: no network, no framework, and no absolute times to quote.
 *
 * <p>What does a migration add to a request? Likewise as ratios, and where threads of its own take part, as the difference that
 * callers see.
 *
 * <p>How soon does a change of the rules reach everybody? That is measured from outside: a real server or config centre in a
 * process of its own. So is the moving of a whole inventory, in {@code moves}.
 */
@NullMarked
package io.sluice.bench;

import org.jspecify.annotations.NullMarked;
