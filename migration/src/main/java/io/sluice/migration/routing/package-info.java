/** Which side gets this operation? The plan's answer first, the database's when a fence refuses it. */
@NullMarked
package io.sluice.migration.routing;

import org.jspecify.annotations.NullMarked;
