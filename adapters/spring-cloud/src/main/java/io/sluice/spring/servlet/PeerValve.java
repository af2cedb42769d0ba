package io.sluice.spring.servlet;

import jakarta.servlet.ServletException;
import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;

/** Keeps the peer's address for {@link PeerAddress}: Tomcat's valve for forwarded headers replaces the one we see. */
final class PeerValve extends ValveBase {
    PeerValve() {
        super(true);
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        request.setAttribute(PeerAddress.ATTRIBUTE, request.getPeerAddr());
        getNext().invoke(request, response);
    }
}
