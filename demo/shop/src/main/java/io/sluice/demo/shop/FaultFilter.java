package io.sluice.demo.shop;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/** Lets the process's fault act on the shop's requests; health stays well, as that of a bad release usually does. */
@Component
final class FaultFilter extends OncePerRequestFilter {

    private final Fault fault;

    FaultFilter(Part part) {
        this.fault = part.fault();
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return request.getRequestURI().startsWith("/actuator");
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        pause(fault.delay());
        if (fault.fails()) {
            response.sendError(HttpServletResponse.SC_INTERNAL_SERVER_ERROR, "demo fault");
            return;
        }
        chain.doFilter(request, response);
    }

    private static void pause(Duration delay) throws IOException {
        try {
            Thread.sleep(delay.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("stopped while waiting");
        }
    }
}
