package io.sluice.server.edge;

import jakarta.servlet.ServletRequest;

/** The connection that a request came on, for what the servlet API has no word for. Safe for all threads. */
@FunctionalInterface
public interface Connection {
    /**
     * Cuts the connection without waiting for anything that is still to be written. Ending the request instead would block
     * a thread until a reader that takes nothing has taken what is left.
     */
    void cut();

    static Connection of(ServletRequest request) {
        return request.getAttribute(Connection.class.getName()) instanceof Connection known ? known : () -> {};
    }
}
