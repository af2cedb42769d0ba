/**
 * What did the user ask on the command line? The command {@code sluice}, its overview and its exit codes.
 * Each command lives in its own package; what they decide is decided in {@code core}.
 */
@NullMarked
package io.sluice.cli;

import org.jspecify.annotations.NullMarked;
