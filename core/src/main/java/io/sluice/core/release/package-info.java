/**
 * What next? The plan of a release, its life as a state machine, and the orchestrator that drives it.
 * It reaches the world through ports only: a store, the evidence, a publisher.
 */
@NullMarked
package io.sluice.core.release;

import org.jspecify.annotations.NullMarked;
