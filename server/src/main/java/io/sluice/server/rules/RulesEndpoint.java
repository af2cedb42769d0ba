package io.sluice.server.rules;

import io.sluice.core.rule.RuleSource;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** The rules for processes: to read, and to follow. */
@RestController
@RequestMapping("/api/v1/rules")
@Lazy(false)
class RulesEndpoint {
    // At about 50 KB each in the container, so that they fit into the smallest heap we run with, 160 MB.
    private static final int MOST_STREAMS = 1000;

    private final RuleDocument.Latest latest;
    private final Set<RuleStream> streams = ConcurrentHashMap.newKeySet();

    RulesEndpoint(RuleDocument.Latest latest, RuleSource published) {
        this.latest = latest;
        // Subscribed after the document was, so that the document is the new one when this is called.
        published.subscribe(rules -> streams.forEach(stream -> stream.offer(latest.get())));
    }

    /** The current rule set. */
    @GetMapping(produces = MediaType.APPLICATION_JSON_VALUE)
    ResponseEntity<byte[]> rules() {
        RuleDocument document = latest.get();
        return ResponseEntity.ok().eTag(document.revision()).body(document.json());
    }

    /** The current rule set, then each newer one, with a beat in between. */
    @GetMapping(path = "/stream", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    void stream(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (streams.size() >= MOST_STREAMS) {
            throw new ResponseStatusException(
                    HttpStatus.SERVICE_UNAVAILABLE, "there are " + MOST_STREAMS + " streams already; read the rules");
        }
        response.setContentType(MediaType.TEXT_EVENT_STREAM_VALUE);
        response.setCharacterEncoding("UTF-8");
        response.setHeader("X-Accel-Buffering", "no");
        AsyncContext connection = request.startAsync();
        connection.setTimeout(0);
        RuleStream stream = new RuleStream(connection, response.getOutputStream(), System::nanoTime, streams::remove);
        connection.addListener(stream);
        streams.add(stream);
        // From now on the stream writes; the first thing is what holds now, or something newer.
        stream.open(latest.get());
    }

    @Scheduled(fixedRate = 3000)
    void beat() {
        RuleDocument current = latest.get();
        streams.forEach(stream -> stream.beat(current));
    }

    /** Streams never end by themselves, and a server that stops waits for what is under way. */
    @EventListener(ContextClosedEvent.class)
    void close() {
        streams.forEach(RuleStream::end);
    }

    int streams() {
        return streams.size();
    }
}
