package io.sluice.spring;

import io.sluice.core.problem.Problems;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.rule.Names;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.tag.Color;
import io.sluice.core.tag.TrafficTag;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What an application runs with. Settings that exist are valid.
 *
 * @param service the name of this service in the registry
 * @param version the version of this instance, {@code stable} when it is no canary
 * @param color the side of its channel on which this instance stands; null for none
 * @param deregister whether this instance leaves its registry when its side is closed
 * @param healthChecks paths of health checks beside the actuator's, which are no traffic
 * @param server the server's address; null when there is none
 * @param token what the server's data plane asks for; empty when it asks for nothing
 * @param center the config centre that rules are followed in; null when they come from the server
 * @param lastGood the directory that keeps the rules for a start without the server or the centre
 * @param trustedUpstreams whose tags are believed; null when the user left it to the door
 * @param internalHosts where tags may be sent
 * @param identity where the edge finds out who is asking
 */
public record SluiceSettings(
        String service,
        String version,
        @Nullable Color color,
        boolean deregister,
        List<String> healthChecks,
        @Nullable URI server,
        String token,
        @Nullable FollowedCenter center,
        Path lastGood,
        @Nullable TrustedPeers trustedUpstreams,
        InternalHosts internalHosts,
        IdentitySources identity) {
    private static final Pattern PATH = Pattern.compile("/[^*?{}\\s]*[^*?{}\\s/]");

    public SluiceSettings {
        healthChecks = List.copyOf(healthChecks);
    }

    /**
     * Reads what the user wrote.
     *
     * @throws RefusedException with every problem at once
     */
    static SluiceSettings from(SluiceProperties written, String applicationName) {
        Problems problems = new Problems();
        problems.part("spring.application.name", () -> Names.requireService(applicationName));
        String version = written.version().isEmpty() ? TrafficTag.STABLE_VERSION : written.version();
        if (!version.equals(TrafficTag.STABLE_VERSION)) {
            problems.part("sluice.version", () -> Names.requireVersion(version));
        }
        Color color =
                written.color().isEmpty() ? null : problems.part("sluice.color", () -> Color.parse(written.color()));
        List<String> healthChecks = healthChecks(written.healthChecks(), problems);
        URI server = problems.part("sluice.server", () -> serverAt(written.server()));
        FollowedCenter center = FollowedCenter.from(written.rules(), problems);
        Path lastGood = problems.part("sluice.last-good", () -> directory(written.lastGood(), applicationName));
        TrustedPeers trusted = trustedPeers(written.trustedUpstreams(), problems);
        InternalHosts internal = internalHosts(written.internalHosts(), problems);
        IdentitySources identity = identitySources(written.identity(), problems);
        problems.throwIfAny();
        return new SluiceSettings(
                applicationName,
                version,
                color,
                written.deregister(),
                healthChecks,
                server,
                written.token(),
                center,
                known(lastGood),
                trusted,
                internal,
                known(identity));
    }

    /** A tag with the colors that it lacks, as this instance gives them. */
    public TrafficTag colored(TrafficTag tag, RuleSet rules) {
        return rules.colored(tag, service, color);
    }

    /** Where rules come from, unless the application has a source of its own: the centre, the server, or nowhere. */
    public String origin() {
        if (center != null) {
            return center.name();
        }
        return server == null ? "nowhere" : server.toString();
    }

    /** Whose tags are believed, with the door's own answer where the user gave none. */
    public TrustedPeers trustedUpstreams(TrustedPeers unlessSet) {
        return trustedUpstreams == null ? unlessSet : trustedUpstreams;
    }

    private static List<String> healthChecks(List<String> paths, Problems problems) {
        for (int i = 0; i < paths.size(); i++) {
            String path = paths.get(i);
            problems.require(
                    PATH.matcher(path).matches(),
                    "sluice.health-checks[" + i + "]",
                    path.isEmpty() ? "empty" : path,
                    "must be a path like /healthz, without wildcards; what is below it is meant too");
        }
        return paths;
    }

    private static @Nullable URI serverAt(String address) {
        if (address.isEmpty()) {
            return null;
        }
        try {
            URI uri = new URI(address);
            boolean web = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            if (web && uri.getHost() != null && uri.getRawQuery() == null && uri.getRawUserInfo() == null) {
                return uri;
            }
        } catch (URISyntaxException notOne) {
            // Refused below like any other text that is no address.
        }
        throw new RefusedException("", address, "must be an address like http://127.0.0.1:7070");
    }

    // Below the home directory rather than the shared temporary one, where another user could leave rules for us.
    private static Path directory(String directory, String service) {
        try {
            return directory.isEmpty()
                    ? Path.of(System.getProperty("user.home", "."), ".sluice", "last-good", service)
                    : Path.of(directory);
        } catch (InvalidPathException notOne) {
            throw new RefusedException("", directory, "must be a directory");
        }
    }

    private static @Nullable TrustedPeers trustedPeers(@Nullable List<String> ranges, Problems problems) {
        if (ranges == null) {
            return null;
        }
        List<AddressRange> read = new ArrayList<>();
        for (int i = 0; i < ranges.size(); i++) {
            String range = ranges.get(i);
            AddressRange part = problems.part("sluice.trusted-upstreams[" + i + "]", () -> AddressRange.parse(range));
            if (part != null) {
                read.add(part);
            }
        }
        return new TrustedPeers(read);
    }

    private static InternalHosts internalHosts(List<String> domains, Problems problems) {
        List<String> read = new ArrayList<>();
        for (int i = 0; i < domains.size(); i++) {
            String written = domains.get(i);
            String domain = problems.part("sluice.internal-hosts[" + i + "]", () -> InternalHosts.domain(written));
            if (domain != null) {
                read.add(domain);
            }
        }
        return new InternalHosts(read);
    }

    private static @Nullable IdentitySources identitySources(SluiceProperties.Sources written, Problems problems) {
        List<IdentitySource> customer = new ArrayList<>();
        for (int i = 0; i < written.customer().size(); i++) {
            String source = written.customer().get(i);
            IdentitySource part =
                    problems.part("sluice.identity.customer[" + i + "]", () -> IdentitySource.parse(source));
            if (part != null) {
                customer.add(part);
            }
        }
        IdentitySource channel =
                problems.part("sluice.identity.channel", () -> IdentitySource.parse(written.channel()));
        IdentitySource request =
                problems.part("sluice.identity.request", () -> IdentitySource.parseHeader(written.request()));
        return channel == null || request == null ? null : new IdentitySources(customer, channel, request.name());
    }

    private static <T> T known(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("a part without a problem is missing");
        }
        return part;
    }
}
