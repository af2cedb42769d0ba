package io.sluice.server.edge;

import io.sluice.server.edge.IncomingBody.Outcome;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.HandlerExceptionResolver;

/**
 * Lets a request in when its body is all there: at most 1 MiB, within five seconds in all, and read on no thread's time. So
 * nothing behind this filter ever waits for a client, and clients that send half a body hold nobody up.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 5)
class BodyFilter extends OncePerRequestFilter {
    private static final Duration DEADLINE = Duration.ofSeconds(5);
    private static final int MOST_BODIES = 200;
    private static final int MOST_BYTES = 16 << 20;
    private static final String BODY = IncomingBody.class.getName();

    private final IncomingBodies incoming = new IncomingBodies(MOST_BODIES, MOST_BYTES);
    private final HandlerExceptionResolver answers;

    BodyFilter(@Qualifier("handlerExceptionResolver") HandlerExceptionResolver answers) {
        this.answers = answers;
    }

    /** The second time is with the body. */
    @Override
    protected boolean shouldNotFilterAsyncDispatch() {
        return false;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        Outcome outcome = request.getAttribute(BODY) instanceof IncomingBody body ? body.outcome() : null;
        if (outcome != null) {
            goOn(request, response, chain, outcome);
        } else if (request.getContentLengthLong() > IncomingBody.LARGEST) {
            goOn(request, response, chain, Outcome.tooLarge());
        } else if (request.getContentLengthLong() > 0 || request.getHeader(HttpHeaders.TRANSFER_ENCODING) != null) {
            await(request);
        } else {
            chain.doFilter(request, response);
        }
    }

    private void await(HttpServletRequest request) throws IOException {
        AsyncContext connection = request.startAsync();
        connection.setTimeout(DEADLINE.toMillis());
        ServletInputStream in = request.getInputStream();
        IncomingBody body = new IncomingBody(connection, in, incoming, request.getRemoteAddr());
        request.setAttribute(BODY, body);
        connection.addListener(body);
        in.setReadListener(body);
        incoming.add(body);
    }

    private void goOn(HttpServletRequest request, HttpServletResponse response, FilterChain chain, Outcome outcome)
            throws ServletException, IOException {
        if (outcome.refusal() == null) {
            chain.doFilter(new Whole(request, outcome.bytes()), response);
            return;
        }
        response.setHeader(HttpHeaders.CONNECTION, "close");
        response.setHeader(HttpHeaders.RETRY_AFTER, "1");
        answers.resolveException(request, response, null, outcome.refusal());
    }

    int waiting() {
        return incoming.size();
    }

    /** A request whose body is in memory. */
    private static final class Whole extends HttpServletRequestWrapper {
        private final byte[] bytes;

        Whole(HttpServletRequest request, byte[] bytes) {
            super(request);
            this.bytes = bytes;
        }

        @Override
        public ServletInputStream getInputStream() {
            return new InMemory(new ByteArrayInputStream(bytes));
        }

        @Override
        public BufferedReader getReader() {
            return new BufferedReader(new InputStreamReader(getInputStream(), StandardCharsets.UTF_8));
        }
    }

    private static final class InMemory extends ServletInputStream {
        private final ByteArrayInputStream in;

        InMemory(ByteArrayInputStream in) {
            this.in = in;
        }

        @Override
        public int read() {
            return in.read();
        }

        @Override
        public int read(byte[] into, int offset, int length) {
            return in.read(into, offset, length);
        }

        @Override
        public boolean isFinished() {
            return in.available() == 0;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        /** Who reads by a listener waits for bytes to come, and none do. */
        @Override
        public void setReadListener(ReadListener listener) {
            throw new IllegalStateException("the body is here already: read it without a listener");
        }
    }
}
