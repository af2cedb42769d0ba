package io.sluice.cli.release;

import io.sluice.cli.terminal.OptionValues;
import io.sluice.core.problem.RefusedException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Why somebody does something. */
public final class WhyOption {
    private static final int LONGEST_WHY = 500;
    private static final String WHY = "must say why, in at most " + LONGEST_WHY + " characters";

    @Option(
            names = "--why",
            paramLabel = "TEXT",
            description = "For the journal; required where it stops, speeds up or undoes something.")
    private @Nullable String why;

    /** Adds it to the members of a body, if it was given. */
    public void addTo(Map<String, Object> members, OptionValues options) {
        if (why != null) {
            addRequiredTo(members, options);
        }
    }

    /** Adds it to the members of a body; it is a problem when it was not given. */
    public void addRequiredTo(Map<String, Object> members, OptionValues options) {
        members.put("why", required(options));
    }

    /** The reason; it is a problem when it was not given, and then there is a stand-in. */
    public String required(OptionValues options) {
        return options.read("--why", why, WhyOption::reason, "stand-in");
    }

    /** The reason; the usual one when none was given. */
    public String orElse(String usual, OptionValues options) {
        return why == null ? usual : required(options);
    }

    private static String reason(String text) {
        if (text.isBlank() || text.length() > LONGEST_WHY) {
            throw new RefusedException("", text.isBlank() ? "empty" : text.length() + " characters", WHY);
        }
        return text;
    }
}
