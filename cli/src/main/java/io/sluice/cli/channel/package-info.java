/**
 * How do I prepare and watch channels from a shell? The commands {@code sluice weights}, {@code capacity}, {@code channel}
 * and {@code workloads}. Releases of channels are driven by the commands of the release package, as all releases are.
 */
@NullMarked
package io.sluice.cli.channel;

import org.jspecify.annotations.NullMarked;
