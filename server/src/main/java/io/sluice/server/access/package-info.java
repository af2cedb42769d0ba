/**
 * Who may come in? Bearer tokens, and the one filter that lets through what is open and asks everything else for a token.
 * It does not decide what somebody inside may do: whoever has a token may do everything, under their name.
 */
@NullMarked
package io.sluice.server.access;

import org.jspecify.annotations.NullMarked;
