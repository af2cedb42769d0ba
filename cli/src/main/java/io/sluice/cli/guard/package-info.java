/**
 * May a canary with these requests keep its traffic? The command {@code sluice guard}.
 * It counts and prints; the judging is core's.
 */
@NullMarked
package io.sluice.cli.guard;

import org.jspecify.annotations.NullMarked;
