package io.sluice.server.access;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.HandlerExceptionResolver;

/** The one gate: what is not on the list of open paths needs a token, whether or not anything is there. */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 10)
class AccessFilter extends OncePerRequestFilter {
    private static final String SCHEME = "Bearer ";

    // Half of the container's threads.
    private static final int MOST_STRANGERS = 25;

    private final OpenPaths open;
    private final Tokens tokens;
    private final HandlerExceptionResolver answers;
    private final Semaphore strangers = new Semaphore(MOST_STRANGERS);
    private final Failures failures = new Failures(System::nanoTime);

    AccessFilter(
            @Value("${sluice.access.data-plane:open}") String dataPlane,
            Tokens tokens,
            @Qualifier("handlerExceptionResolver") HandlerExceptionResolver answers) {
        this.open = OpenPaths.withDataPlane(dataPlane);
        this.tokens = tokens;
        this.answers = answers;
    }

    /** A request with a body comes here only when that is whole, and that is a second dispatch. */
    @Override
    protected boolean shouldNotFilterAsyncDispatch() {
        return false;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (open.has(request.getMethod(), request.getRequestURI())) {
            letStrangerIn(request, response, chain);
            return;
        }
        Optional<String> name = name(request, response);
        if (name.isPresent()) {
            chain.doFilter(new Known(request, name.get()), response);
        }
    }

    /** A stranger that does not read its answer holds its thread for a while; so strangers never have them all. */
    private void letStrangerIn(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (!strangers.tryAcquire()) {
            response.setHeader(HttpHeaders.RETRY_AFTER, "1");
            answers.resolveException(
                    request, response, null, new ResponseStatusException(HttpStatus.SERVICE_UNAVAILABLE, "too busy"));
            return;
        }
        try {
            chain.doFilter(request, response);
        } finally {
            strangers.release();
        }
    }

    /** Who asks; empty when the answer is given already. */
    private Optional<String> name(HttpServletRequest request, HttpServletResponse response) {
        try {
            String token = token(request);
            Optional<String> name = token == null ? Optional.empty() : tokens.nameOf(token);
            if (name.isPresent()) {
                failures.succeeded(request.getRemoteAddr());
            } else {
                refuse(request, response, token != null);
            }
            return name;
        } catch (RuntimeException failure) {
            answers.resolveException(request, response, null, failure);
            return Optional.empty();
        }
    }

    private void refuse(HttpServletRequest request, HttpServletResponse response, boolean tried) {
        Duration wait = tried ? failures.failed(request.getRemoteAddr()) : Duration.ZERO;
        if (wait.isZero()) {
            response.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
            String detail = tried ? "this token is not known here" : "a token is needed: Authorization: Bearer <token>";
            throw new ResponseStatusException(HttpStatus.UNAUTHORIZED, detail);
        }
        response.setHeader(HttpHeaders.RETRY_AFTER, String.valueOf(wait.toSeconds() + 1));
        throw new ResponseStatusException(
                HttpStatus.TOO_MANY_REQUESTS, "too many wrong tokens came from this address; a right one still passes");
    }

    private static @Nullable String token(HttpServletRequest request) {
        String header = request.getHeader(HttpHeaders.AUTHORIZATION);
        boolean bearer = header != null && header.regionMatches(true, 0, SCHEME, 0, SCHEME.length());
        return bearer ? header.substring(SCHEME.length()).strip() : null;
    }

    /** A request of somebody whose token was right. */
    private static final class Known extends HttpServletRequestWrapper {
        private final String name;

        Known(HttpServletRequest request, String name) {
            super(request);
            this.name = name;
        }

        @Override
        public Principal getUserPrincipal() {
            return () -> name;
        }
    }
}
