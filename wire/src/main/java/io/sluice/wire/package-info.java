/**
 * What do processes, people and the server say to each other? The JSON documents: rule set, release request, observations, problems; written one way, read with every problem named.
 * It carries nothing: sockets and files are in {@code remote}, and what a document means is core's.
 */
@NullMarked
package io.sluice.wire;

import org.jspecify.annotations.NullMarked;
