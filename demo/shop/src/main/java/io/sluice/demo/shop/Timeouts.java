package io.sluice.demo.shop;

import java.time.Duration;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.SimpleClientHttpRequestFactory;

/** How long a caller in the shop waits; the Feign client has the same two numbers in application.yml. */
final class Timeouts {

    private static final Duration CONNECT = Duration.ofSeconds(1);
    private static final Duration READ = Duration.ofSeconds(3);

    private Timeouts() {}

    static ClientHttpRequestFactory requests() {
        var requests = new SimpleClientHttpRequestFactory();
        requests.setConnectTimeout(CONNECT);
        requests.setReadTimeout(READ);
        return requests;
    }
}
