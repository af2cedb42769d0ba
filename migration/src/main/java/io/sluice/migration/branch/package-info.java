/**
 * What the two implementations promise, so that a router may choose between them: which errors mean what, and that
 * every write shows its grant.
 */
@NullMarked
package io.sluice.migration.branch;

import org.jspecify.annotations.NullMarked;
