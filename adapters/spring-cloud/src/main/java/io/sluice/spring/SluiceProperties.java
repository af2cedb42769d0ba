package io.sluice.spring;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings under {@code sluice}, as they were written. {@link SluiceSettings} says whether they make sense.
 *
 * @param server the server's address, as {@code http://127.0.0.1:7070}; none means that no release ever happens here
 * @param token what the server's data plane asks for, if it asks
 * @param version the version of this instance; empty or {@code stable} for everything that is no canary
 * @param color the side of its channel on which this instance stands, {@code blue} or {@code green}; empty for none
 * @param deregister whether this instance leaves its registry when its side is closed
 * @param healthChecks paths of health checks beside the actuator's, which are no traffic
 * @param env the environment it was deployed to, for the registry
 * @param deployTime when it was deployed, for the registry
 * @param lastGood the directory that keeps the rules for a start without the server
 * @param trustedUpstreams addresses or CIDR ranges whose tags are believed
 * @param internalHosts endings of host names that tags may be sent to, beside the usual internal ones
 * @param rules where rules come from, when not from the server
 * @param identity where the edge finds out who is asking
 */
@ConfigurationProperties("sluice")
record SluiceProperties(
        @DefaultValue("") String server,
        @DefaultValue("") String token,
        @DefaultValue("") String version,
        @DefaultValue("") String color,
        @DefaultValue("true") boolean deregister,
        @DefaultValue List<String> healthChecks,
        @DefaultValue("") String env,
        @DefaultValue("") String deployTime,
        @DefaultValue("") String lastGood,
        @Nullable List<String> trustedUpstreams,
        @DefaultValue List<String> internalHosts,
        @DefaultValue Rules rules,
        @DefaultValue Sources identity) {

    /**
     * A config centre that rules are followed in.
     *
     * @param from as {@code KIND=ADDRESS}; empty when rules come from the server
     * @param user who this process is to the centre; empty for nobody
     * @param publicKey the file with the keys whose signature rules must have; empty when they need none
     */
    record Rules(
            @DefaultValue("") String from,
            @DefaultValue("") String user,
            @DefaultValue("") String password,
            @DefaultValue("") String publicKey) {}

    /**
     * Each {@code header:NAME}, {@code query:NAME} or {@code cookie:NAME}.
     *
     * @param customer asked in order; the first that gives an id wins
     * @param channel through what the customer came
     * @param request the id of the request; a header, since it is sent on
     */
    record Sources(
            @DefaultValue({"header:X-User-Id", "query:uid"}) List<String> customer,
            @DefaultValue("header:X-Channel") String channel,
            @DefaultValue("header:X-Request-Id") String request) {}
}
