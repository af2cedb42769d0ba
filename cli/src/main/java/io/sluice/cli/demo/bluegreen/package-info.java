/**
 * What does a release of channels look like? Two channels of a shop on this machine, released blue-green under load.
 * It steers by the server's API alone, as a person would.
 */
@NullMarked
package io.sluice.cli.demo.bluegreen;

import org.jspecify.annotations.NullMarked;
