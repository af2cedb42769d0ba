/** Which side should own a key? The percentage and the lists of one migration. What is true so far is {@code owner}'s. */
@NullMarked
package io.sluice.migration.plan;

import org.jspecify.annotations.NullMarked;
