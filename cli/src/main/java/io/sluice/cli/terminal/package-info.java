/**
 * How does a command speak with the shell? Lines in, lines and JSON out, problems on standard error, exit codes.
 * It knows no command.
 */
@NullMarked
package io.sluice.cli.terminal;

import org.jspecify.annotations.NullMarked;
