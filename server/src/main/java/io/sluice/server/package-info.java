/**
 * How does the control plane start, and how does it answer what goes wrong? The main class, its flags, the pages that every feature shares.
 * What it does stands in the packages below, one a feature.
 */
@NullMarked
package io.sluice.server;

import org.jspecify.annotations.NullMarked;
