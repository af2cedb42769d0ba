package io.sluice.spring;

import java.net.InetAddress;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The neighbours whose tags are believed, by the address of the socket they are connected with. What a header says
 * about an address ({@code X-Forwarded-For}) proves nothing and is never asked.
 */
public record TrustedPeers(List<AddressRange> ranges) {
    private static final TrustedPeers NOBODY = new TrustedPeers(List.of());
    private static final TrustedPeers PRIVATE = new TrustedPeers(
            Stream.of("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "::1/128", "fc00::/7")
                    .map(AddressRange::parse)
                    .toList());

    public TrustedPeers {
        ranges = List.copyOf(ranges);
    }

    /** Believes nobody: an edge. */
    public static TrustedPeers nobody() {
        return NOBODY;
    }

    /** Believes loopback and the private ranges: a service that only its own kind can reach. */
    public static TrustedPeers privateRanges() {
        return PRIVATE;
    }

    /** Whether a neighbour is believed; one without an address, as on a Unix socket, is not. */
    public boolean contains(@Nullable InetAddress peer) {
        return peer != null && ranges.stream().anyMatch(range -> range.contains(peer));
    }
}
