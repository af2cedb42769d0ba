/**
 * Which instances may serve a request? Those on the ladder's rung, out of what the registry gives.
 * Which one of them does is left to the balancer that the application has.
 */
@NullMarked
package io.sluice.spring.loadbalancer;

import org.jspecify.annotations.NullMarked;
