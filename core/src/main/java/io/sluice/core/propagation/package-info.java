/**
 * How does the tag travel? From a carrier into the current scope and out onto the next carrier.
 * It never decides and never changes a tag.
 */
@NullMarked
package io.sluice.core.propagation;

import org.jspecify.annotations.NullMarked;
