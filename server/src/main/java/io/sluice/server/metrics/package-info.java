/**
 * What does a Prometheus say about the metrics of a release? Asks it again and again, each metric by itself, and is core's
 * metric source. It answers looks with what it knows and never makes one wait.
 */
@NullMarked
package io.sluice.server.metrics;

import org.jspecify.annotations.NullMarked;
