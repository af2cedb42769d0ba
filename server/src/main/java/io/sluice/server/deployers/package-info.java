/**
 * How does a version get to instances, and is it well there? Core's deployers, by name: people, local processes, and a
 * webhook; and the checks that releases name. When and what is deployed is the channel's business, not decided here.
 */
@NullMarked
package io.sluice.server.deployers;

import org.jspecify.annotations.NullMarked;
