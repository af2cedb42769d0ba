package io.sluice.spring;

import io.sluice.core.problem.RefusedException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A range of IP addresses in CIDR form, {@code 10.0.0.0/8} or {@code fd00::/8}; a bare address is a range of one. An
 * IPv4 address mapped into IPv6 is the IPv4 address.
 */
public final class AddressRange {
    // Literals only: a name must not be looked up, and 010.1 must not be guessed at.
    private static final Pattern IPV4 = Pattern.compile("(?:(?:0|[1-9][0-9]{0,2})\\.){3}(?:0|[1-9][0-9]{0,2})");
    private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");
    private static final Pattern RANGE = Pattern.compile("([^/]+)(?:/(0|[1-9][0-9]{0,2}))?");

    private final byte[] network;
    private final int bits;

    private AddressRange(byte[] network, int bits) {
        this.network = network;
        this.bits = bits;
    }

    /** Reads a range. @throws RefusedException with an empty path when it is not one */
    public static AddressRange parse(String text) {
        Matcher range = RANGE.matcher(text);
        if (range.matches()) {
            byte[] network = addressOf(range.group(1), text);
            int longest = network.length * Byte.SIZE;
            int bits = range.group(2) == null ? longest : Integer.parseInt(range.group(2));
            if (bits <= longest) {
                return new AddressRange(network, bits);
            }
        }
        throw refused(text);
    }

    /** Whether an address lies in this range. */
    public boolean contains(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (bytes.length != network.length) {
            return false;
        }
        int whole = bits / Byte.SIZE;
        for (int i = 0; i < whole; i++) {
            if (bytes[i] != network[i]) {
                return false;
            }
        }
        int rest = bits % Byte.SIZE;
        return rest == 0 || (bytes[whole] ^ network[whole]) >> (Byte.SIZE - rest) == 0;
    }

    /** Reads an address that is written out; empty for everything else, names above all. */
    static Optional<InetAddress> literal(String text) {
        try {
            return IPV4.matcher(text).matches() || IPV6.matcher(text).matches()
                    ? Optional.of(InetAddress.getByName(text))
                    : Optional.empty();
        } catch (UnknownHostException notOne) {
            return Optional.empty();
        }
    }

    private static byte[] addressOf(String address, String text) {
        return literal(address).orElseThrow(() -> refused(text)).getAddress();
    }

    private static RefusedException refused(String text) {
        return new RefusedException(
                "", text.isEmpty() ? "empty" : text, "must be an IP address or a range like 10.0.0.0/8");
    }
}
