/** What has to be deleted when a migration is over, and until when. */
@NullMarked
package io.sluice.migration.retirement;

import org.jspecify.annotations.NullMarked;
