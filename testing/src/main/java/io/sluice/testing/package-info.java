/**
 * What the tests of every module share: which promise a test proves, which programs it needs, how long it
 * waits, a clock that stands still until it is told, a line that can be cut or fall silent, and a Nacos that can be killed. Nothing here is shipped, and nothing here knows a type of the product.
 */
@NullMarked
package io.sluice.testing;

import org.jspecify.annotations.NullMarked;
