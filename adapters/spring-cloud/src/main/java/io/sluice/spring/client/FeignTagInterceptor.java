package io.sluice.spring.client;

import feign.RequestInterceptor;
import feign.RequestTemplate;
import io.sluice.core.propagation.CarrierGetter;
import io.sluice.core.propagation.CarrierSetter;
import java.net.URI;
import java.util.List;

/** Puts the current tag on a request of Feign, in place of whatever tag it wears; none on one that leaves our own hosts. */
final class FeignTagInterceptor implements RequestInterceptor {
    private static final CarrierGetter<RequestTemplate> GETTER =
            (request, name) -> List.copyOf(request.headers().getOrDefault(name, List.of()));
    private static final CarrierSetter<RequestTemplate> SETTER =
            (request, name, value) -> request.removeHeader(name).headerLiteral(name, value);

    private final Outgoing outgoing;

    FeignTagInterceptor(Outgoing outgoing) {
        this.outgoing = outgoing;
    }

    @Override
    public void apply(RequestTemplate request) {
        outgoing.mark(request, addressOf(request), GETTER, SETTER, RequestTemplate::removeHeader);
    }

    private static URI addressOf(RequestTemplate request) {
        // Without a target, as in a request made by hand, the template's own address is all there is.
        return URI.create(
                request.feignTarget() == null
                        ? request.url()
                        : request.feignTarget().url());
    }
}
