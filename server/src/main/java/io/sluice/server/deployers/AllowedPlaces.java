package io.sluice.server.deployers;

import io.sluice.core.problem.Problems;
import io.sluice.core.problem.RefusedException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where checks may be asked. A name is resolved once, every address it has must be allowed, and the connection goes to one
 * of these: a name that resolves to something else a moment later leads nowhere.
 *
 * <p>Without a list these are the addresses of the loopback interface, whatever name or spelling leads there. With a list
 * these are its hosts and ports. An address that stands there itself is meant; a name may resolve to public and private
 * addresses, but to no loopback (but for localhost), link-local, multicast or unspecified one, where nobody put a service
 * that has a name, but clouds put their secrets.
 */
final class AllowedPlaces {
    private static final Pattern PLACE = Pattern.compile("([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\]):([0-9]{1,5})");
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|\\[.*\\]");
    private static final int LARGEST_PORT = 65_535;

    private final Set<String> places;
    private final Resolver resolver;

    /** Finds the addresses of a name. */
    @FunctionalInterface
    interface Resolver {
        InetAddress[] resolve(String host) throws UnknownHostException;
    }

    private AllowedPlaces(Set<String> places, Resolver resolver) {
        this.places = places;
        this.resolver = resolver;
    }

    /**
     * @param places like {@code order.internal:8081}; none for the loopback addresses
     * @throws RefusedException with all that are no places
     */
    static AllowedPlaces of(List<String> places, Resolver resolver) {
        Problems problems = new Problems();
        Set<String> known = new HashSet<>();
        for (String place : places) {
            Matcher matcher = PLACE.matcher(place);
            boolean isPlace = matcher.matches() && isPort(Integer.parseInt(matcher.group(2)));
            problems.require(isPlace, "sluice.checks.allowed", place, "must be like order.internal:8081");
            known.add(place.toLowerCase(Locale.ROOT));
        }
        problems.throwIfAny();
        return new AllowedPlaces(known, resolver);
    }

    /**
     * The address to connect to.
     *
     * @throws RefusedException when it is not allowed, with an empty path
     */
    InetSocketAddress require(URI url) {
        String host = host(url);
        int port = port(url);
        boolean isListed = places.contains(host.toLowerCase(Locale.ROOT) + ":" + port);
        if (!places.isEmpty() && !isListed) {
            throw refused(url, "must be at one of the hosts and ports of sluice.checks.allowed");
        }
        InetAddress[] addresses = resolve(url, host);
        for (InetAddress address : addresses) {
            boolean isAllowed = isListed ? isMeant(host, address) : address.isLoopbackAddress();
            if (!isAllowed) {
                throw refused(
                        url,
                        isListed
                                ? "must not resolve to a loopback, link-local, multicast or unspecified address"
                                : "must be on this machine's loopback address, or its host and port stand in"
                                        + " sluice.checks.allowed");
            }
        }
        return new InetSocketAddress(addresses[0], port);
    }

    private static String host(URI url) {
        String scheme = url.getScheme();
        String host = url.getHost();
        boolean isPlain = url.getRawUserInfo() == null && url.getRawFragment() == null;
        if (host == null || !isPlain || !("http".equals(scheme) || "https".equals(scheme)) || !isPort(port(url))) {
            throw refused(
                    url,
                    "must be like http://127.0.0.1:8081/actuator/health, by http or https and without a user or a"
                            + " fragment");
        }
        return host;
    }

    private static int port(URI url) {
        return url.getPort() == -1 ? "https".equals(url.getScheme()) ? 443 : 80 : url.getPort();
    }

    private static boolean isPort(int port) {
        return port >= 1 && port <= LARGEST_PORT;
    }

    private InetAddress[] resolve(URI url, String host) {
        try {
            InetAddress[] addresses = resolver.resolve(host);
            if (addresses.length > 0) {
                return addresses;
            }
        } catch (UnknownHostException unknown) {
            // Said below.
        }
        throw refused(url, "must have a host that resolves");
    }

    private static boolean isMeant(String host, InetAddress address) {
        if (ADDRESS.matcher(host).matches()) {
            return true;
        }
        if (host.equalsIgnoreCase("localhost")) {
            return address.isLoopbackAddress();
        }
        return !address.isLoopbackAddress()
                && !address.isLinkLocalAddress()
                && !address.isMulticastAddress()
                && !address.isAnyLocalAddress()
                && !carriesAnother(address);
    }

    /** An IPv4 address within an IPv6 one, by which a gateway would lead to what is refused in its plain form. */
    private static boolean carriesAnother(InetAddress address) {
        if (!(address instanceof Inet6Address six)) {
            return false;
        }
        byte[] bytes = six.getAddress();
        boolean isTranslated = bytes[0] == 0 && bytes[1] == 0x64 && bytes[2] == (byte) 0xff && bytes[3] == (byte) 0x9b;
        boolean isSixToFour = bytes[0] == 0x20 && bytes[1] == 0x02;
        return six.isIPv4CompatibleAddress() || isTranslated || isSixToFour;
    }

    /** Nothing of the query: there may be a secret in it. */
    private static RefusedException refused(URI url, String allowed) {
        String shown = url.toString().split("[?#]", 2)[0].replaceFirst("//[^/]*@", "//...@");
        return new RefusedException("", shown.isEmpty() ? "empty" : shown, allowed);
    }
}
