/**
 * What is wrong with what somebody set up: every problem at once, each with its place and what is allowed.
 * Used while setting up only; the request path has no problems, it has reasons.
 */
@NullMarked
package io.sluice.core.problem;

import org.jspecify.annotations.NullMarked;
