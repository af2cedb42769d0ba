/**
 * How does a process follow the server, and tell it what it saw, without ever waiting for it? Rules by stream, re-read and last-good file; observations by a bounded queue.
 * It decides nothing: which rule set is newer is core's to say, and what a document means is the codecs'.
 */
@NullMarked
package io.sluice.wire.remote;

import org.jspecify.annotations.NullMarked;
