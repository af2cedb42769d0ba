package io.sluice.spring.servlet;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/** The address of the socket that a request came through, whatever forwarding headers say. */
final class PeerAddress {
    /** The request attribute under which {@link PeerValve} leaves the address. */
    static final String ATTRIBUTE = "io.sluice.peer";

    private PeerAddress() {}

    /** The peer's address; null when it is not known, as on a Unix socket. */
    static @Nullable InetAddress of(ServletRequest request) {
        String address = request.getAttribute(ATTRIBUTE) instanceof String peer
                ? peer
                : unwrapped(request).getRemoteAddr();
        try {
            return address == null || address.isEmpty() ? null : InetAddress.getByName(address);
        } catch (UnknownHostException notOne) {
            return null;
        }
    }

    // Spring's filter for forwarded headers wraps the request; the container's own is beneath.
    private static ServletRequest unwrapped(ServletRequest request) {
        ServletRequest inner = request;
        while (inner instanceof ServletRequestWrapper wrapper) {
            inner = wrapper.getRequest();
        }
        return inner;
    }
}
