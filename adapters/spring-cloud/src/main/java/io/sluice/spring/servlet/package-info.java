/**
 * Whose tag does a service work under? That of the request being served, from its first filter to its last.
 * It believes a tag or ignores it, and never makes one.
 */
@NullMarked
package io.sluice.spring.servlet;

import org.jspecify.annotations.NullMarked;
