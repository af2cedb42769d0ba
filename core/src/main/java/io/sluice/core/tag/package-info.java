/**
 * What does a request wear? The traffic tag as one immutable value, and its header form.
 * It does not say whether the release it names still lives; {@code rule} does.
 */
@NullMarked
package io.sluice.core.tag;

import org.jspecify.annotations.NullMarked;
