/**
 * Which services are released together, and how does a release of them go? Channels and the store of their releases behind
 * core's orchestrator, the loop that lets it look, what the API shows of them, and who gets more than their share. It does
 * not decide when a release moves; core does.
 */
@NullMarked
package io.sluice.server.channels;

import org.jspecify.annotations.NullMarked;
