package io.sluice.spring.client;

import io.sluice.spring.HttpHeadersCarrier;
import java.io.IOException;
import java.util.List;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/**
 * Puts the current tag on a request of RestTemplate or RestClient, in place of whatever tag it wears; takes that away
 * when there is no current tag, or the request leaves our own hosts. Runs before the load balancer, which reads it.
 */
final class TagInterceptor implements ClientHttpRequestInterceptor, Ordered {
    private final Outgoing outgoing;

    TagInterceptor(Outgoing outgoing) {
        this.outgoing = outgoing;
    }

    @Override
    public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
            throws IOException {
        outgoing.mark(
                request.getHeaders(),
                request.getURI(),
                HttpHeadersCarrier.GETTER,
                HttpHeadersCarrier.SETTER,
                HttpHeaders::remove);
        return execution.execute(request, body);
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    /** Adds itself as the first of a client's interceptors, unless one of its kind is there. */
    void addTo(List<ClientHttpRequestInterceptor> interceptors) {
        if (interceptors.stream().noneMatch(TagInterceptor.class::isInstance)) {
            interceptors.add(0, this);
        }
    }
}
