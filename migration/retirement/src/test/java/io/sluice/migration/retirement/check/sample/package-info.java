/** What a migration may leave behind, to be found. */
@Retire(migration = "inventory", after = "2027-03-31")
package io.sluice.migration.retirement.check.sample;

import io.sluice.migration.retirement.Retire;
