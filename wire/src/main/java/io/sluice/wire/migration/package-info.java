/**
 * What do routers, the server and scripts say to each other about a migration? Evidence, exit criteria, reports and directives as JSON.
 * It needs {@code sluice-migration}, which who uses it adds; what a document means is that library's.
 */
@NullMarked
package io.sluice.wire.migration;

import org.jspecify.annotations.NullMarked;
