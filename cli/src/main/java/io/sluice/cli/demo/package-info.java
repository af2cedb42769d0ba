/**
 * What does a release look like? A control plane, a gateway and a shop in two versions, customers, and one release that
 * ramps to the end, or is taken back because the new version is bad.
 * It plays a user of the product: it decides nothing itself and uses no door that a user has not.
 */
@NullMarked
package io.sluice.cli.demo;

import org.jspecify.annotations.NullMarked;
