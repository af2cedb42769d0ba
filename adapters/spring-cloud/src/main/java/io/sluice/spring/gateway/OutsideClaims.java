package io.sluice.spring.gateway;

import io.sluice.core.tag.TagCodec;
import io.sluice.spring.TrustedPeers;
import io.sluice.spring.report.SluiceMeters;
import io.sluice.spring.report.SluiceMeters.Claim;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.HttpHandlerDecoratorFactory;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import reactor.netty.http.server.HttpServerRequest;

/**
 * Removes from a request what only this system may say, unless the peer it came from is trusted.
 *
 * <p>It stands around the whole handler and not among the filters: routes may be chosen by header, tracing takes the
 * baggage up, and forwarded addresses replace the peer's, all before the first filter.
 */
final class OutsideClaims implements HttpHandlerDecoratorFactory {
    private final TrustedPeers trusted;
    private final SluiceMeters meters;

    OutsideClaims(TrustedPeers trusted, SluiceMeters meters) {
        this.trusted = trusted;
        this.meters = meters;
    }

    @Override
    public HttpHandler apply(HttpHandler handler) {
        return (request, response) -> handler.handle(believable(request), response);
    }

    private ServerHttpRequest believable(ServerHttpRequest request) {
        if (trusted.contains(peerOf(request))) {
            return request;
        }
        HttpHeaders headers = request.getHeaders();
        List<String> ours =
                headers.headerNames().stream().filter(TagCodec::isOurs).toList();
        List<String> baggage = headers.getOrEmpty(Baggage.HEADER);
        List<String> foreign = Baggage.withoutOurs(baggage);
        if (ours.isEmpty() && foreign.equals(baggage)) {
            return request;
        }
        meters.ignored(Claim.UNTRUSTED);
        return request.mutate()
                .headers(kept -> {
                    ours.forEach(kept::remove);
                    kept.remove(Baggage.HEADER);
                    foreign.forEach(line -> kept.add(Baggage.HEADER, line));
                })
                .build();
    }

    private static @Nullable InetAddress peerOf(ServerHttpRequest request) {
        Object server = ServerHttpRequestDecorator.getNativeRequest(request);
        SocketAddress peer = server instanceof HttpServerRequest netty
                ? netty.connectionRemoteAddress()
                : request.getRemoteAddress();
        return peer instanceof InetSocketAddress inet ? inet.getAddress() : null;
    }
}
