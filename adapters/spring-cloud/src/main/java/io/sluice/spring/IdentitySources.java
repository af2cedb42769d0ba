package io.sluice.spring;

import io.sluice.core.identity.Identity;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where the edge finds out who is asking.
 *
 * @param customer asked in order; the first that gives a usable id wins
 * @param channel through what the customer came
 * @param requestHeader the header with the request's id
 */
public record IdentitySources(List<IdentitySource> customer, IdentitySource channel, String requestHeader) {
    public IdentitySources {
        customer = List.copyOf(customer);
    }

    /** Who is asking; the request gets an id when it came without a usable one, and so always has one. */
    public Identity identify(EdgeRequest request) {
        String requestId = request.header(requestHeader);
        boolean usable = requestId != null && Identity.isUsable(requestId);
        return Identity.of(
                customerOf(request), usable ? requestId : UUID.randomUUID().toString(), channel.valueIn(request));
    }

    private @Nullable String customerOf(EdgeRequest request) {
        for (IdentitySource source : customer) {
            String id = source.valueIn(request);
            if (id != null && Identity.isUsable(id)) {
                return id;
            }
        }
        return null;
    }
}
