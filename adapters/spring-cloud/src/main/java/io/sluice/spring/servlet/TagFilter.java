package io.sluice.spring.servlet;

import io.sluice.core.observation.ObservationSink;
import io.sluice.core.observation.ServedRequests;
import io.sluice.core.propagation.CarrierGetter;
import io.sluice.core.propagation.Scope;
import io.sluice.core.propagation.TagContext;
import io.sluice.core.rule.RuleSet;
import io.sluice.core.tag.Color;
import io.sluice.core.tag.TagCodec;
import io.sluice.core.tag.TrafficTag;
import io.sluice.spring.SluiceSettings;
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
import org.jspecify.annotations.Nullable;
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
    private final SluiceSettings self;
    private final Standing standing;
    private final ObservationSink observations;
    private final ServedRequests served;
    private final SluiceMeters meters;
    private final Predicate<HttpServletRequest> observed;

    TagFilter(
            TrustedPeers trusted,
            SluiceSettings self,
            Standing standing,
            ObservationSink observations,
            ServedRequests served,
            SluiceMeters meters,
            Predicate<HttpServletRequest> observed) {
        this.trusted = trusted;
        this.self = self;
        this.standing = standing;
        this.observations = observations;
        this.served = served;
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
        RuleSet rules = standing.rules().current();
        TrafficTag brought = tagOf(request);
        TrafficTag tag = self.colored(brought, rules);
        request.setAttribute(TAG_ATTRIBUTE, tag);
        if (observed.test(request)) {
            noteCrossing(brought, rules);
            serveObserved(tag, request, response, chain);
        } else {
            serve(tag, request, response, chain);
        }
    }

    private TrafficTag tagOf(HttpServletRequest request) {
        if (trusted.contains(PeerAddress.of(request))) {
            return IncomingTag.read(request, GETTER, meters).tag();
        }
        if (request.getHeader(TagCodec.HEADER) != null || request.getHeader(TagCodec.COLORS_HEADER) != null) {
            meters.ignored(Claim.UNTRUSTED);
        }
        return TrafficTag.empty();
    }

    /** Whether somebody has sent to this side what belongs to the other, which callers of ours do not. */
    private void noteCrossing(TrafficTag brought, RuleSet rules) {
        Color wanted = rules.wantedColor(brought, self.service());
        if (wanted != null && self.color() != null && wanted != self.color()) {
            served.cross();
            meters.crossed();
        }
    }

    private void serveObserved(
            TrafficTag tag, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        long start = System.nanoTime();
        ObservationSink.Exchange exchange = observations.begin(tag);
        served.begin();
        AsyncEnd.End end = broken -> {
            served.end();
            exchange.end(System.nanoTime() - start, broken || response.getStatus() >= 500);
        };
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
                LogFields fields = LogFields.of(standing.laneOf(tag), tag, self.version(), colorOf(tag))) {
            chain.doFilter(request, response);
        }
    }

    private @Nullable Color colorOf(TrafficTag tag) {
        return tag.colors().isEmpty() ? null : standing.rules().current().wantedColor(tag, self.service());
    }
}
