/**
 * Which lane, and why? The bucket of a key, the percentage, the allowlist and the abort of one release.
 * It knows no request and no other release; which rule applies to a request is asked in {@code rule}.
 */
@NullMarked
package io.sluice.core.decision;

import org.jspecify.annotations.NullMarked;
