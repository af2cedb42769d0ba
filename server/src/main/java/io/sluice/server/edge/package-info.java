/**
 * May this request come in at all? What holds for every connection before any feature sees it: whole bodies, known hosts,
 * readable addresses, and one shape of refusal. It knows no feature, and nobody's token.
 */
@NullMarked
package io.sluice.server.edge;

import org.jspecify.annotations.NullMarked;
