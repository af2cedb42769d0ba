/**
 * The worked example of a migration: an inventory whose stock moves from a plain old table to a schema with reservations, SKU by
 * SKU, in one PostgreSQL database.
 */
@NullMarked
package io.sluice.demo.inventory;

import org.jspecify.annotations.NullMarked;
