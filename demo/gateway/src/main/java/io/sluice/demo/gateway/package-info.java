/**
 * Through which door the demo shop's requests come in.
 * It knows routes and no business: which service answers which path, and nothing of what is answered.
 */
@NullMarked
package io.sluice.demo.gateway;

import org.jspecify.annotations.NullMarked;
