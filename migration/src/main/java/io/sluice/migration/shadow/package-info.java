/**
 * Does the other side give the same answer? Reads tried on the side that does not own the key, off the request path. Nothing here
 * decides where a request goes.
 */
@NullMarked
package io.sluice.migration.shadow;

import org.jspecify.annotations.NullMarked;
