package io.sluice.server.rules;

import io.sluice.core.rule.RuleSet;
import io.sluice.core.rule.RuleSource;
import io.sluice.wire.RuleSetJson;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A rule set as it goes over the wire, written once for all readers.
 *
 * @param revision {@code <epoch>.<revision>}
 * @param json the document, on one line
 * @param event the document as an event of the stream
 * @param beat a sign of life that also says which revision the reader should have
 */
record RuleDocument(String revision, byte[] json, byte[] event, byte[] beat) {
    static RuleDocument of(RuleSet rules) {
        String revision = rules.epoch() + "." + rules.revision();
        byte[] json = RuleSetJson.write(rules);
        byte[] event = event("rules", "id: " + revision + "\n", new String(json, StandardCharsets.UTF_8));
        return new RuleDocument(revision, json, event, event("beat", "", revision));
    }

    private static byte[] event(String name, String id, String data) {
        return ("event: " + name + "\n" + id + "data: " + data + "\n\n").getBytes(StandardCharsets.UTF_8);
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
