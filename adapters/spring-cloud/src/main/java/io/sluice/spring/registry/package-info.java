/**
 * Can callers find this instance? While its side of a channel is closed it leaves the registry, and comes back afterwards.
 * It does so through whatever registry the application has, and does not decide when: the rules say what is closed.
 */
@NullMarked
package io.sluice.spring.registry;

import org.jspecify.annotations.NullMarked;
