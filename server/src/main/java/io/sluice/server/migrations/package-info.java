/**
 * What is wanted of each migration, how far its processes are, and what they have seen. The keys themselves move in the
 * application's own database; nothing here is asked when a request is routed.
 */
@NullMarked
package io.sluice.server.migrations;

import org.jspecify.annotations.NullMarked;
