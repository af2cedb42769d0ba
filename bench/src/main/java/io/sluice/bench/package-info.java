/**
 * What does a decision cost, and taking note of how it went? Ratios of candidates that ran side by side, and the goals
 * that they must meet.
 * That measures core alone: no network, no framework, and no absolute times to quote.
 *
 * <p>How soon does a change of the rules reach everybody? That is measured from outside: a real server or config centre in a
 * process of its own.
 */
@NullMarked
package io.sluice.bench;

import org.jspecify.annotations.NullMarked;
