package io.sluice.spring.client;

import feign.RequestInterceptor;
import feign.RequestTemplate;
import io.sluice.core.propagation.TagCarrier;
import io.sluice.core.propagation.TagContext;
import io.sluice.core.tag.TagCodec;

/** Puts the current tag on a request of Feign, in place of whatever tag it wears. */
final class FeignTagInterceptor implements RequestInterceptor {
    @Override
    public void apply(RequestTemplate request) {
        request.removeHeader(TagCodec.HEADER);
        TagCarrier.inject(TagContext.current(), request, RequestTemplate::headerLiteral);
    }
}
