/**
 * How does a request get its tag? At the edge: what outsiders claim is removed, then the rules decide once.
 * It does not choose the instance that serves; {@code loadbalancer} does.
 */
@NullMarked
package io.sluice.spring.gateway;

import org.jspecify.annotations.NullMarked;
