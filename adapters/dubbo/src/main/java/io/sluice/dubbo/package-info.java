/**
 * How does Dubbo 3 carry tags, pick providers and register them? Callers write tags and keep to their color, providers read
 * them and register under the weight that the rules give them. Nothing is decided here: it reads, asks core, and writes.
 */
@NullMarked
package io.sluice.dubbo;

import org.jspecify.annotations.NullMarked;
