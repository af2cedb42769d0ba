package io.sluice.spring.loadbalancer;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.Request;
import org.springframework.cloud.client.loadbalancer.RequestDataContext;
import org.springframework.cloud.client.loadbalancer.Response;
import org.springframework.cloud.client.loadbalancer.RetryableRequestContext;

/**
 * The instance that has just failed a request which is tried again. The registry lists a dead instance for seconds; until
 * it has noticed, each retry of a canary with one instance would come back to it.
 */
final class FailedInstance {
    // ServerWebExchangeUtils.GATEWAY_LOADBALANCER_RESPONSE_ATTR, of a class that only gateways have.
    private static final String GATEWAYS_CHOICE =
            "org.springframework.cloud.gateway.support.ServerWebExchangeUtils.gatewayLoadBalancerResponse";

    private FailedInstance() {}

    /** The instances without the failed one of this request; all of them on the first try. */
    static List<ServiceInstance> leftOutOf(List<ServiceInstance> instances, Request<?> request) {
        ServiceInstance failed = of(request);
        return failed == null
                ? instances
                : instances.stream()
                        .filter(instance -> !isSame(instance, failed))
                        .toList();
    }

    private static @Nullable ServiceInstance of(Request<?> request) {
        if (request.getContext() instanceof RetryableRequestContext retry) {
            return retry.getPreviousServiceInstance();
        }
        if (request.getContext() instanceof RequestDataContext context && context.getClientRequest() != null) {
            return earlierChoice(context.getClientRequest().getAttributes());
        }
        return null;
    }

    /** A gateway keeps its choice in the exchange, whose attributes are the request's. */
    private static @Nullable ServiceInstance earlierChoice(@Nullable Map<String, Object> attributes) {
        return attributes != null
                        && attributes.get(GATEWAYS_CHOICE) instanceof Response<?> choice
                        && choice.getServer() instanceof ServiceInstance server
                ? server
                : null;
    }

    private static boolean isSame(ServiceInstance one, ServiceInstance other) {
        return one.getPort() == other.getPort() && one.getHost().equals(other.getHost());
    }
}
