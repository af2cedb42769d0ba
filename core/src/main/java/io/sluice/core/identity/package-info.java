/**
 * Who is asking? A request as the loop sees it, and the one identity that decides for it: the customer, else the request.
 * It believes what the edge hands it and authenticates nobody.
 */
@NullMarked
package io.sluice.core.identity;

import org.jspecify.annotations.NullMarked;
