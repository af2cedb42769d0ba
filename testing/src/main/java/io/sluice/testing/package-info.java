/**
 * What the tests of every module share: which promise a test proves, which programs it needs, and a clock that stands
 * still until it is told. Nothing here is shipped, and nothing here knows a type of the product.
 */
@NullMarked
package io.sluice.testing;

import org.jspecify.annotations.NullMarked;
