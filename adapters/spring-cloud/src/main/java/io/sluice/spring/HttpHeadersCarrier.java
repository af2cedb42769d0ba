package io.sluice.spring;

import io.sluice.core.propagation.CarrierGetter;
import io.sluice.core.propagation.CarrierSetter;
import org.springframework.http.HttpHeaders;

/** Spring's headers as what carries a tag, on requests of both kinds of server and of the clients. */
public final class HttpHeadersCarrier {
    public static final CarrierGetter<HttpHeaders> GETTER = HttpHeaders::getOrEmpty;
    public static final CarrierSetter<HttpHeaders> SETTER = HttpHeaders::set;

    private HttpHeadersCarrier() {}
}
