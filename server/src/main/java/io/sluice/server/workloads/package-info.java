/**
 * Which processes run, what do they say of themselves, and which rules do they decide by? A process is known until it says
 * goodbye or an operator strikes it off. It draws no conclusions; core does.
 */
@NullMarked
package io.sluice.server.workloads;

import org.jspecify.annotations.NullMarked;
