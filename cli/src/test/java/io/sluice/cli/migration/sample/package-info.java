/** What a migration may leave behind. */
package io.sluice.cli.migration.sample;
