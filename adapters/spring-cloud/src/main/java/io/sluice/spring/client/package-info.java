/**
 * How does the tag leave a service? On every request of Feign, RestTemplate and RestClient.
 * It copies the current tag and knows nothing of where the request goes.
 */
@NullMarked
package io.sluice.spring.client;

import org.jspecify.annotations.NullMarked;
