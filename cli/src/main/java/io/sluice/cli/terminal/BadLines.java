package io.sluice.cli.terminal;

import io.sluice.core.problem.Problem;
import java.util.ArrayList;
import java.util.List;

/** The lines of an input that were refused: the first {@value #SHOWN} and how many there were. */
public final class BadLines {
    private static final int SHOWN = 10;

    private final String allowed;
    private final List<Problem> first = new ArrayList<>();
    private long count;

    /** @param allowed what a line may be, starting with "must" */
    public BadLines(String allowed) {
        this.allowed = allowed;
    }

    public void add(Line line) {
        count++;
        if (first.size() < SHOWN) {
            first.add(new Problem("line " + line.number(), line.shown(), allowed));
        }
    }

    public boolean isEmpty() {
        return count == 0;
    }

    public void sayTo(Terminal terminal) {
        first.forEach(problem -> terminal.say(problem.toString()));
        if (count > first.size()) {
            terminal.say("and " + (count - first.size()) + " more bad lines");
        }
    }
}
