package io.sluice.spring.client;

import feign.RequestInterceptor;
import feign.RequestTemplate;
import io.sluice.core.propagation.TagCarrier;
import io.sluice.core.propagation.TagContext;
import io.sluice.core.tag.TagCodec;
import io.sluice.spring.InternalHosts;
import java.net.URI;
import java.util.function.Supplier;

/** Puts the current tag on a request of Feign, in place of whatever tag it wears; none on one that leaves our own hosts. */
final class FeignTagInterceptor implements RequestInterceptor {
    private final Supplier<InternalHosts> internal;

    FeignTagInterceptor(Supplier<InternalHosts> internal) {
        this.internal = internal;
    }

    @Override
    public void apply(RequestTemplate request) {
        request.removeHeader(TagCodec.HEADER);
        if (internal.get().contain(addressOf(request))) {
            TagCarrier.inject(TagContext.current(), request, RequestTemplate::headerLiteral);
        }
    }

    private static URI addressOf(RequestTemplate request) {
        // Without a target, as in a request made by hand, the template's own address is all there is.
        return URI.create(
                request.feignTarget() == null
                        ? request.url()
                        : request.feignTarget().url());
    }
}
