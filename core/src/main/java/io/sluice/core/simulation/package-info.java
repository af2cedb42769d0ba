/**
 * How would the guard do with this traffic? Made-up requests, run through the guard's own types, from fixed seeds.
 * It judges nothing itself, and nothing in a running system uses it.
 */
@NullMarked
package io.sluice.core.simulation;

import org.jspecify.annotations.NullMarked;
