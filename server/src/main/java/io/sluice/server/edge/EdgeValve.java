package io.sluice.server.edge;

import jakarta.servlet.ServletException;
import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.ActionCode;

/**
 * Sees every request first, also those that the container refuses by itself, and its answer last. A valve, since no filter
 * does, and only here can a connection be closed without waiting for its other end.
 */
final class EdgeValve extends ValveBase {
    EdgeValve() {
        super(true);
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        addSecurityHeaders(response);
        org.apache.coyote.Response answer = response.getCoyoteResponse();
        Connection connection = () -> answer.action(ActionCode.CLOSE_NOW, new IOException("cut from this side"));
        request.setAttribute(Connection.class.getName(), connection);
        getNext().invoke(request, response);
        if (!request.isAsync() && !request.getCoyoteRequest().isFinished()) {
            // Answered before the body was all there, so it was refused; the container would block to read the rest.
            request.getCoyoteRequest().action(ActionCode.DISABLE_SWALLOW_INPUT, null);
        }
    }

    private static void addSecurityHeaders(Response response) {
        response.setHeader("Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'; base-uri 'none'");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Referrer-Policy", "no-referrer");
        response.setHeader("Cache-Control", "no-cache");
    }
}
