package io.sluice.spring.gateway;

import io.sluice.spring.EdgeRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.ServerHttpRequest;

/** A request to the gateway as identity and rules see it. */
record ExchangeView(ServerHttpRequest request) implements EdgeRequest {
    @Override
    public @Nullable String header(String name) {
        return only(request.getHeaders().get(name));
    }

    @Override
    public @Nullable String query(String name) {
        return only(request.getQueryParams().get(name));
    }

    private static @Nullable String only(@Nullable List<@Nullable String> values) {
        return values != null && values.size() == 1 ? values.get(0) : null;
    }
}
