package io.sluice.spring;

import io.sluice.core.problem.RefusedException;
import java.net.InetAddress;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The hosts that a tag may be sent to. A tag names a customer and what is being released, which is nobody's business
 * outside.
 *
 * <p>Internal are names without a dot, as services have them in a registry, loopback and private addresses, and names
 * that end in {@code .local}, {@code .internal}, {@code .svc} or what the user adds.
 *
 * @param domains endings of host names, in lower case, each with its leading dot
 */
public record InternalHosts(List<String> domains) {
    private static final List<String> USUAL = List.of(".local", ".internal", ".svc");
    private static final Pattern DOMAIN = Pattern.compile("\\.?[a-z0-9-]+(\\.[a-z0-9-]+)*");
    private static final InternalHosts STANDARD = new InternalHosts(List.of());

    public InternalHosts {
        domains = List.copyOf(domains);
    }

    /** Those that are internal without anybody saying so. */
    public static InternalHosts standard() {
        return STANDARD;
    }

    /** Reads an ending, {@code shop.example} or {@code .shop.example}. @throws RefusedException when it is not one */
    static String domain(String text) {
        String domain = text.toLowerCase(Locale.ROOT);
        if (!DOMAIN.matcher(domain).matches()) {
            throw new RefusedException(
                    "", text.isEmpty() ? "empty" : text, "must be the end of host names, like shop.example");
        }
        return domain.startsWith(".") ? domain : "." + domain;
    }

    /** Whether a tag may go to an address. Looks nothing up. */
    public boolean contain(URI address) {
        // A registry's names may have an underscore, which makes them no host to URI.
        String host = address.getHost() != null ? address.getHost() : address.getAuthority();
        if (host == null) {
            return true; // Not a network address: a relative one, which the load balancer will complete.
        }
        if (host.startsWith("[")) {
            return isPrivate(host.substring(1, host.length() - 1));
        }
        String name = host.toLowerCase(Locale.ROOT);
        return name.indexOf('.') < 0
                || isPrivate(name)
                || USUAL.stream().anyMatch(name::endsWith)
                || domains.stream()
                        .anyMatch(domain ->
                                name.endsWith(domain) || domain.substring(1).equals(name));
    }

    private static boolean isPrivate(String literal) {
        return AddressRange.literal(literal).filter(InternalHosts::isPrivate).isPresent();
    }

    private static boolean isPrivate(InetAddress address) {
        return TrustedPeers.privateRanges().contains(address);
    }
}
