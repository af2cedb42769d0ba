/**
 * What proves a migration of the inventory: customers who keep account of what they were told, and a log of every write that the
 * database keeps by itself. For tests and measurements, not part of the example.
 */
@NullMarked
package io.sluice.demo.inventory.proof;

import org.jspecify.annotations.NullMarked;
