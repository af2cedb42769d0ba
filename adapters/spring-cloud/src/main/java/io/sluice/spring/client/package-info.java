/**
 * How does the tag leave a service? On every request of Feign, RestTemplate and RestClient.
 * It copies the current tag, to our own hosts only, and knows nothing of which instance will serve.
 */
@NullMarked
package io.sluice.spring.client;

import org.jspecify.annotations.NullMarked;
