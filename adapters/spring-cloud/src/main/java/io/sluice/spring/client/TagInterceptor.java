package io.sluice.spring.client;

import io.sluice.core.propagation.TagCarrier;
import io.sluice.core.propagation.TagContext;
import io.sluice.core.tag.TagCodec;
import io.sluice.spring.HttpHeadersCarrier;
import io.sluice.spring.InternalHosts;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
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
    private final Supplier<InternalHosts> internal;

    TagInterceptor(Supplier<InternalHosts> internal) {
        this.internal = internal;
    }

    @Override
    public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
            throws IOException {
        HttpHeaders headers = request.getHeaders();
        headers.remove(TagCodec.HEADER);
        if (internal.get().contain(request.getURI())) {
            TagCarrier.inject(TagContext.current(), headers, HttpHeadersCarrier.SETTER);
        }
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
