/**
 * How does the server ask others by HTTP without being held up, filled up or led astray by them? What is asked, and what
 * an answer means, is the caller's business.
 */
@NullMarked
package io.sluice.server.outbound;

import org.jspecify.annotations.NullMarked;
