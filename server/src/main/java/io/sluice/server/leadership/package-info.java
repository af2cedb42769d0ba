/**
 * Which of several servers on one database acts? The lease that one of them holds, and the epoch by which the database
 * refuses what an earlier holder still writes. What the leader does is not known here.
 */
@NullMarked
package io.sluice.server.leadership;

import org.jspecify.annotations.NullMarked;
