/**
 * What the demo's customers ask for, and whether each answer came from the versions that the rules of its moment allow.
 * It believes no count of the system under load: it judges by the answers alone.
 */
@NullMarked
package io.sluice.cli.demo.load;

import org.jspecify.annotations.NullMarked;
