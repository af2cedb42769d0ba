/**
 * Is this rule file right, and what does it decide? The commands {@code sluice rules lint}, {@code explain} and {@code seal}.
 * It works on a file alone and asks no server.
 */
@NullMarked
package io.sluice.cli.rules;

import org.jspecify.annotations.NullMarked;
