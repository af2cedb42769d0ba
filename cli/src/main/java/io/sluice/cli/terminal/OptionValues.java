package io.sluice.cli.terminal;

import io.sluice.core.problem.Problem;
import io.sluice.core.problem.RefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Turns the texts of options into values and collects what is wrong under the options' names, so that the user sees
 * everything at once. In place of a bad value a stand-in is returned, for the rest to be checked too; it never gets past
 * {@link #throwIfAny()}.
 *
 * <pre>{@code
 * OptionValues options = new OptionValues();
 * Percent share = options.read("--percent", percent, Percent::parse, Percent.ZERO);
 * options.throwIfAny();
 * }</pre>
 */
public final class OptionValues {
    private final List<Problem> found = new ArrayList<>();

    /** The value of an option that must be given. What is allowed for a missing one is what its parser says of "". */
    public <T> T read(String option, @Nullable String text, Function<String, T> parser, T standIn) {
        try {
            return parser.apply(text == null ? "" : text);
        } catch (RefusedException refused) {
            for (Problem problem : refused.problems()) {
                found.add(new Problem(option, text == null ? "missing" : problem.was(), problem.allowed()));
            }
            return standIn;
        }
    }

    /** A value made of several options; {@code maxP99} in its problems is the option {@code --max-p99}. */
    public <T> T build(Supplier<T> value, T standIn) {
        try {
            return value.get();
        } catch (RefusedException refused) {
            for (Problem problem : refused.problems()) {
                found.add(new Problem(optionOf(problem.path()), problem.was(), problem.allowed()));
            }
            return standIn;
        }
    }

    public void require(boolean holds, String option, String was, String allowed) {
        if (!holds) {
            found.add(new Problem(option, was.isEmpty() ? "empty" : was, allowed));
        }
    }

    /**
     * Ends the reading of options.
     *
     * @throws RefusedException with everything found
     */
    public void throwIfAny() {
        if (!found.isEmpty()) {
            throw new RefusedException(found);
        }
    }

    private static String optionOf(String path) {
        return "--" + path.replaceAll("(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
    }
}
