/**
 * What does a decision cost, and taking note of how it went? Ratios of candidates that ran side by side, and the goals
 * that they must meet.
 * It measures core alone: no network, no framework, and no absolute times to quote.
 */
@NullMarked
package io.sluice.bench;

import org.jspecify.annotations.NullMarked;
