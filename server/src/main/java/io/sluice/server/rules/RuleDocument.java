package io.sluice.server.rules;

import io.sluice.core.rule.RuleSet;
import io.sluice.core.rule.RuleSource;
import io.sluice.wire.RuleSetJson;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A rule set as it goes over the wire, written once and shared by all readers.
 *
 * @param revision {@code <epoch>.<revision>}
 * @param json the document, on one line
 */
record RuleDocument(String revision, byte[] json) {
    private static final Logger log = LoggerFactory.getLogger(RuleDocument.class);
    private static final int MOST_BYTES = 1 << 20;

    static RuleDocument of(RuleSet rules) {
        String revision = rules.epoch() + "." + rules.revision();
        byte[] json = RuleSetJson.write(rules);
        if (json.length > MOST_BYTES) {
            log.error(
                    "rule set {} has {} bytes, but processes take at most {}: end releases with long allowlists",
                    revision,
                    json.length,
                    MOST_BYTES);
        }
        return new RuleDocument(revision, json);
    }

    /** The document as an event of the stream, in parts, so that the document itself is in memory once. */
    List<byte[]> event() {
        return List.of(bytes("event: rules\nid: " + revision + "\ndata: "), json, bytes("\n\n"));
    }

    /** A sign of life that also says which revision the reader should have. */
    List<byte[]> beat() {
        return List.of(bytes("event: beat\ndata: " + revision + "\n\n"));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** The newest document. */
    static final class Latest {
        private final AtomicReference<RuleDocument> document;

        Latest(RuleSource source) {
            this.document = new AtomicReference<>(of(source.current()));
            source.subscribe(rules -> document.set(of(rules)));
        }

        RuleDocument get() {
            return document.get();
        }
    }
}
