/**
 * Which lane do these keys get? The command {@code sluice split}.
 * It reads keys and prints decisions; the deciding is core's.
 */
@NullMarked
package io.sluice.cli.split;

import org.jspecify.annotations.NullMarked;
