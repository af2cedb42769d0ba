/**
 * What must processes know now? The rule set of the saved releases, as a document to read and as a stream to follow.
 * It makes no rules of its own: what it publishes is a pure function of what is saved.
 */
@NullMarked
package io.sluice.server.rules;

import org.jspecify.annotations.NullMarked;
