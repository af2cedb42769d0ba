package io.sluice.spring.servlet;

import io.sluice.core.observation.ObservationSink;
import io.sluice.core.propagation.CarrierGetter;
import io.sluice.core.propagation.Scope;
import io.sluice.core.propagation.TagContext;
import io.sluice.core.tag.TagCodec;
import io.sluice.core.tag.TrafficTag;
import io.sluice.spring.TrustedPeers;
import io.sluice.spring.report.IncomingTag;
import io.sluice.spring.report.SluiceMeters;
import io.sluice.spring.report.SluiceMeters.Claim;
import io.sluice.spring.report.Standing;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.function.Predicate;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Makes the request's tag current while the request is served, and notes how it went.
 *
 * <p>A request that goes asynchronous has its tag on the thread it came on and on the one it is dispatched to, not
 * between, and is noted once, when it completes.
 */
final class TagFilter extends OncePerRequestFilter {
    /** The request attribute with the {@link TrafficTag} of the request. */
    static final String TAG_ATTRIBUTE = "io.sluice.tag";

    private static final CarrierGetter<HttpServletRequest> GETTER =
            (request, name) -> Collections.list(request.getHeaders(name));

    private final TrustedPeers trusted;
    private final String version;
    private final Standing standing;
    private final ObservationSink observations;
    private final SluiceMeters meters;
    private final Predicate<HttpServletRequest> observed;

    TagFilter(
            TrustedPeers trusted,
            String version,
            Standing standing,
            ObservationSink observations,
            SluiceMeters meters,
            Predicate<HttpServletRequest> observed) {
        this.trusted = trusted;
        this.version = version;
        this.standing = standing;
        this.observations = observations;
        this.meters = meters;
        this.observed = observed;
    }

    @Override
    protected boolean shouldNotFilterAsyncDispatch() {
        return false;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (isAsyncDispatch(request) && request.getAttribute(TAG_ATTRIBUTE) instanceof TrafficTag tag) {
            serve(tag, request, response, chain);
            return;
        }
        TrafficTag tag = tagOf(request);
        request.setAttribute(TAG_ATTRIBUTE, tag);
        if (observed.test(request)) {
            serveObserved(tag, request, response, chain);
        } else {
            serve(tag, request, response, chain);
        }
    }

    private TrafficTag tagOf(HttpServletRequest request) {
        if (trusted.contains(PeerAddress.of(request))) {
            return IncomingTag.read(request, GETTER, meters).tag();
        }
        if (request.getHeader(TagCodec.HEADER) != null) {
            meters.ignored(Claim.UNTRUSTED);
        }
        return TrafficTag.empty();
    }

    private void serveObserved(
            TrafficTag tag, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        long start = System.nanoTime();
        ObservationSink.Exchange exchange = observations.begin(tag);
        AsyncEnd.End end = broken -> exchange.end(System.nanoTime() - start, broken || response.getStatus() >= 500);
        boolean broken = true;
        try {
            serve(tag, request, response, chain);
            broken = false;
        } finally {
            if (request.isAsyncStarted()) {
                request.getAsyncContext().addListener(new AsyncEnd(end));
            } else {
                end.ended(broken);
            }
        }
    }

    @SuppressWarnings("try") // Both are only opened and closed.
    private void serve(TrafficTag tag, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        try (Scope scope = TagContext.with(tag);
                LogFields fields = LogFields.of(standing.laneOf(tag), tag, version)) {
            chain.doFilter(request, response);
        }
    }
}
