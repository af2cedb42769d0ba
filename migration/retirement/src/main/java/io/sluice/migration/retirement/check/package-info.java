/** What still carries {@code @Retire}, read from class files, and whether its day is over. */
@NullMarked
package io.sluice.migration.retirement.check;

import org.jspecify.annotations.NullMarked;
