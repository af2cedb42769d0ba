/**
 * How do releases go, and what may an operator tell them? The store behind core's orchestrator, the loop that lets it look, the endpoints and the report.
 * It does not decide when a release moves; core does.
 */
@NullMarked
package io.sluice.server.releases;

import org.jspecify.annotations.NullMarked;
