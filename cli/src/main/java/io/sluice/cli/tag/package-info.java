/**
 * What does this tag header say? The command {@code sluice tag}.
 * It shows what a service would read from it, and nothing about whether the release lives.
 */
@NullMarked
package io.sluice.cli.tag;

import org.jspecify.annotations.NullMarked;
