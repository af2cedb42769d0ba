/**
 * What was seen of each release, step by step? Takes in the batches of gateways and services, adds them up, keeps the last minutes as a series, and is core's evidence.
 * It counts and never judges.
 */
@NullMarked
package io.sluice.server.observations;

import org.jspecify.annotations.NullMarked;
