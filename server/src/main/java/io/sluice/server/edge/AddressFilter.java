package io.sluice.server.edge;

import io.sluice.core.problem.RefusedException;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.HandlerExceptionResolver;

/**
 * Lets in what was sent to this server by a name of its own, with a query that can be read. A page of a stranger that
 * points its own name at this machine would otherwise read the rules in an operator's browser.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 2)
class AddressFilter extends OncePerRequestFilter {
    private final OwnNames names;
    private final HandlerExceptionResolver answers;

    AddressFilter(
            @Value("${sluice.allowed-hosts:}") Set<String> allowed,
            @Qualifier("handlerExceptionResolver") HandlerExceptionResolver answers) {
        this.names = OwnNames.with(allowed);
        this.answers = answers;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        RefusedException refusal = refusal(request);
        if (refusal == null) {
            chain.doFilter(request, response);
        } else {
            answers.resolveException(request, response, null, refusal);
        }
    }

    private @Nullable RefusedException refusal(HttpServletRequest request) {
        // Browsers always send it; without one there is no name to be deceived by.
        boolean named = request.getHeader(HttpHeaders.HOST) != null;
        if (named && !names.has(request.getServerName())) {
            return new RefusedException(
                    "Host", request.getServerName(), "must be an address, localhost, or one of --allowed-hosts");
        }
        return QueryText.problem(request.getQueryString());
    }
}
