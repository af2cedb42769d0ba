package io.sluice.cli.rules;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.cli.terminal.Document;
import io.sluice.cli.terminal.Terminal;
import io.sluice.core.problem.RefusedException;
import io.sluice.core.rule.RuleSet;
import io.sluice.wire.RuleEnvelope;
import io.sluice.wire.RuleSetJson;
import java.util.regex.Pattern;

/** A rule set that somebody wrote, alone or in the envelope that config centres hold. */
final class RuleFile {
    // No rule set has such a field, and in a text it would have backslashes before its quotes.
    private static final Pattern ENVELOPE = Pattern.compile("\"sha256\"\\s*:");

    private RuleFile() {}

    /**
     * The rules of a file, or of standard input for {@code -}.
     *
     * @throws RefusedException with every problem of the document
     */
    static RuleSet read(String name, Terminal terminal) {
        byte[] bytes = Document.read(name, terminal);
        if (!ENVELOPE.matcher(new String(bytes, UTF_8)).find()) {
            return RuleSetJson.readStrict(bytes);
        }
        RuleEnvelope envelope = RuleEnvelope.read(bytes);
        envelope.rules(); // refuses what does not fit together
        return RuleSetJson.readStrict(envelope.document().getBytes(UTF_8));
    }
}
